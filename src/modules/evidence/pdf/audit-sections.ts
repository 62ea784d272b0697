/** What the PDF of an organization's state has for an inspector: the approval and the programmes, each student's training file, each aircraft. */
import { toInstant } from "../../../core/clock.ts";
import { dateIn, minuteIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import { hours } from "../../../pdf/formats.ts";
import type { Document } from "../../../pdf/open-document.ts";
import { type Block, colors } from "../../../pdf/portrait-page.ts";
import { footed, heading, inTurns, paragraph, type Row, rowsUnder, table, titleBlock } from "../../../pdf/sheet.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { filePages, schoolBlocks } from "../../training/file/pdf/file-pdf.ts";
import { textsOf } from "../../training/file/pdf/texts/texts.ts";
import type { TrainingFile } from "../../training/file/read-file.queries.ts";
import type { Audit } from "../packs/read-audit.ts";
import { aircraftBlocks } from "./aircraft-blocks.ts";
import { auditTexts } from "./audit-texts.ts";
import type { FirstPages, Section } from "./sections.ts";

interface Audited {
  audit: Audit;
  school: Organization;
  /** Of the pack: it is at the foot of each page that has no other. */
  id: string;
  language: Language;
  /** Reads the training file of an enrollment. */
  fileOf(enrollment: TrainingFile["enrollment"]["id"]): Promise<TrainingFile>;
}

export function auditSections({ audit, school, id, language, fileOf }: Audited): Section[] {
  const texts = auditTexts(language);
  const foot = { text: school.name, whole: id };
  return [
    {
      key: "school",
      title: texts.school,
      pages: async (document, firstPages) =>
        footed(document, await inTurns(overviewBlocks(document, { audit, school, language, firstPages })), foot),
    },
    ...audit.students.map(({ enrollment }, at) => ({
      key: enrollment.id,
      title: at === 0 ? texts.files : null,
      pages: async (document: Document) => filePages(document, await fileOf(enrollment.id), language),
    })),
    {
      key: "fleet",
      title: texts.fleet,
      pages: async (document) => {
        const title = titleOf(document, texts.fleet, { audit, school, language });
        return footed(document, [title, ...(await inTurns(aircraftBlocks(document, audit, language)))], foot);
      },
    },
  ];
}

type Overview = Pick<Audited, "audit" | "school" | "language">;

const titleOf = (document: Document, title: string, { audit, school, language }: Overview): Block =>
  titleBlock(document, title, `${school.name}\n${auditTexts(language).stateOf(dateIn(language, audit.date))}`);

function* overviewBlocks(
  document: Document,
  about: Overview & { firstPages: FirstPages },
): Generator<() => readonly Block[]> {
  const { audit, school, language } = about;
  const texts = auditTexts(language);
  const quiet = { color: colors.quiet, isSmall: true };
  yield () => [titleOf(document, texts.school, about), ...schoolBlocks(document, school, language)];
  yield () => [heading(document, texts.programs.heading), ...programBlocks(document, audit, language)];
  yield () => [heading(document, texts.students.heading)];
  yield* studentBlocks(document, about);
  yield () => paragraph(document, texts.students.asMade(minuteIn(language, toInstant(audit.now))), quiet);
}

/** The revisions that were not retired by the end of the day, or by which somebody was trained on it. */
function programBlocks(document: Document, { programs, students, date, end }: Audit, language: Language): Block[] {
  const { columns } = auditTexts(language).programs;
  const { training, none } = textsOf(language);
  const studentsOf = (revision: string) =>
    students.filter(
      ({ enrollment: { revision_id, ended_on } }) => revision_id === revision && (ended_on === null || ended_on > date),
    ).length;
  const rows: Row[] = programs.flatMap(
    ({ name, kind, revision_id, number, effective_from, legal_basis, retired_at }) => {
      const count = studentsOf(revision_id);
      if (retired_at !== null && retired_at < end && count === 0) return [];
      const from = dateIn(language, effective_from);
      return [{ cells: [name, training.kinds[kind], String(number), from, legal_basis, String(count)] }];
    },
  );
  if (rows.length === 0) return paragraph(document, none, { color: colors.quiet });
  return table(
    document,
    [
      { name: columns.name, width: 115 },
      { name: columns.kind, width: 120 },
      { name: columns.revision, width: 45, align: "right" },
      { name: columns.from, width: 65 },
      { name: columns.basis, width: 95 },
      { name: columns.students, width: 55, align: "right" },
    ],
    rows,
  );
}

function* studentBlocks(
  document: Document,
  { audit, language, firstPages }: Overview & { firstPages: FirstPages },
): Generator<() => Block[]> {
  const { columns } = auditTexts(language).students;
  const { training, none } = textsOf(language);
  if (audit.students.length === 0) yield () => paragraph(document, none, { color: colors.quiet });
  const rowsOf = rowsUnder(document, [
    { name: columns.name, width: 105 },
    { name: columns.program, width: 85 },
    { name: columns.status, width: 70 },
    { name: columns.from, width: 54 },
    { name: columns.total, width: 40, align: "right" },
    { name: columns.dual, width: 36, align: "right" },
    { name: columns.solo, width: 36, align: "right" },
    { name: columns.items, width: 40, align: "right" },
    { name: columns.page, width: 29, align: "right" },
  ]);
  for (const { enrollment, sums, items } of audit.students) {
    const { id, student, program, status, started_on } = enrollment;
    const cells = [
      student,
      program,
      training.statuses[status],
      dateIn(language, started_on),
      hours(sums.total_minutes),
      hours(sums.dual_minutes),
      hours(sums.solo_minutes),
      `${items.done} / ${items.total}`,
      String(firstPages.get(id) ?? ""),
    ];
    yield () => rowsOf([{ cells }]);
  }
}
