/** What a training file says of credits, minima, exams and the student's documents, in tables. */
import { toInstant } from "../../../../core/clock.ts";
import { type LegalDate, dateIn as localDateIn, toLegalDate } from "../../../../core/dates.ts";
import { dateIn } from "../../../../core/forms.ts";
import type { Language } from "../../../../core/languages.ts";
import { hours } from "../../../../pdf/formats.ts";
import type { Document } from "../../../../pdf/open-document.ts";
import { type Block, colors } from "../../../../pdf/portrait-page.ts";
import { type Column, facts, heading, paragraph, type Row, space, table } from "../../../../pdf/sheet.ts";
import { typeNameIn } from "../../../compliance/built-in-types.ts";
import type { Measure } from "../../../compliance/rules/training-minima.ts";
import { lessonWithItems } from "../../progress/standing.ts";
import type { StudentRecord } from "../file.shapes.ts";
import type { Given } from "../given.ts";
import type { TrainingFile } from "../read-file.queries.ts";
import { textsOf } from "./texts/texts.ts";

const quiet = { color: colors.quiet };

const amountOf = (measure: Measure, amount: number): string =>
  measure.endsWith("_minutes") ? hours(amount) : String(amount);

/** Returns a heading and a table, or that there is none. */
function section(
  document: Document,
  title: string,
  columns: readonly Column[],
  rows: readonly Row[],
  none: string,
): Block[] {
  return [heading(document, title), ...tableOf(document, columns, rows, none)];
}

const tableOf = (document: Document, columns: readonly Column[], rows: readonly Row[], none: string): Block[] =>
  rows.length === 0 ? paragraph(document, none, quiet) : table(document, columns, rows);

export function creditBlocks(document: Document, { enrollment, revision }: TrainingFile, language: Language): Block[] {
  const { credits: texts, none } = textsOf(language);
  const columns: Column[] = [
    { name: texts.measure, width: 175 },
    { name: texts.amount, width: 50, align: "right" },
    { name: texts.reason, width: 270 },
  ];
  const rows = enrollment.credits.map(({ measure, amount, reason, source }) => ({
    cells: [
      measureIn(language, { measure, ...longOf(revision) }),
      amountOf(measure, amount),
      [reason, source && texts.pack(dayOf(language, source.issued_at))].filter(Boolean).join(" "),
    ],
  }));
  return section(document, texts.heading, columns, rows, none);
}

const dayOf = (language: Language, at: string): string => dateIn(language, at.slice(0, 10) as LegalDate);

const longOf = ({ minima }: TrainingFile["revision"]) => {
  const long = minima.find(({ measure }) => measure === "long_cross_country");
  return { distance_km: long?.distance_km ?? null, full_stops_elsewhere: long?.full_stops_elsewhere ?? null };
};

function measureIn(
  language: Language,
  { measure, ...long }: { measure: Measure; distance_km: number | null; full_stops_elsewhere: number | null },
): string {
  const { measures, long: longIn } = textsOf(language).standing;
  return measure === "long_cross_country" ? longIn(long) : measures[measure];
}

export function minimaBlocks(document: Document, file: TrainingFile, language: Language): Block[] {
  const { progress, revision, enrollment } = file;
  const { standing: texts, none, unknown } = textsOf(language);
  const columns: Column[] = [
    { name: texts.columns.measure, width: 190 },
    { name: texts.columns.required, width: 52, align: "right" },
    { name: texts.columns.done, width: 52, align: "right" },
    { name: texts.columns.credited, width: 56, align: "right" },
    { name: texts.columns.missing, width: 50, align: "right" },
    { name: texts.columns.basis, width: 95 },
  ];
  const rows = revision.minima.map((minimum) => {
    const { measure, required, legal_basis } = minimum;
    const stands = progress.minima.find(({ name }) => name === measure);
    const credited = enrollment.credits.reduce((sum, one) => sum + (one.measure === measure ? one.amount : 0), 0);
    const missing = stands?.missing ?? required;
    const done = stands?.done ?? null;
    return {
      cells: [
        measureIn(language, minimum),
        amountOf(measure, required),
        done === null ? unknown : amountOf(measure, done),
        credited === 0 ? "" : amountOf(measure, credited),
        missing === 0 ? "–" : amountOf(measure, missing),
        legal_basis,
      ],
    };
  });
  const { done, total } = progress.items;
  const open = progress.missing.map((what) => {
    if (what === "items" || what === "theory" || what === "skill_test") return texts.missing[what];
    return measureIn(language, { measure: what, ...longOf(revision) });
  });
  return [
    ...section(document, texts.heading, columns, rows, none),
    space(6),
    ...facts(document, [
      [texts.items, texts.itemsDone(done, total)],
      [texts.open, progress.complete ? texts.complete : open.join("; ")],
    ]),
  ];
}

export function recordBlocks(document: Document, { records, time_zone }: TrainingFile, language: Language): Block[] {
  const { records: texts } = textsOf(language);
  const content =
    records === null
      ? paragraph(document, texts.hidden, quiet)
      : recordTable(document, records, { language, time_zone });
  return [heading(document, texts.heading), ...content];
}

/** How days are written, and where: a record is withdrawn on a day where the organization is, as everywhere. */
interface Written {
  language: Language;
  time_zone: string;
}

/** Returns a table of records of a person or an aircraft, or that there is none. */
export function recordTable(document: Document, records: readonly StudentRecord[], written: Written): Block[] {
  const { language } = written;
  const { records: texts, none } = textsOf(language);
  const { type, number, issuedBy, issued, until } = texts.columns;
  const columns: Column[] = [
    { name: type, width: 160 },
    { name: number, width: 90 },
    { name: issuedBy, width: 90 },
    { name: issued, width: 60 },
    { name: until, width: 95 },
  ];
  const rows = records.map((record) => ({
    cells: [
      documentIn(language, record),
      record.number ?? "",
      record.issued_by ?? "",
      dateIn(language, record.issued_on),
      untilIn(written, record),
    ],
    color: record.status === "current" ? colors.dark : colors.quiet,
  }));
  return tableOf(document, columns, rows, none);
}

function documentIn(language: Language, { type, type_name, level }: StudentRecord): string {
  const name = typeNameIn(language, { key: type, name: type_name });
  return level === null ? name : `${name}, ${textsOf(language).records.levels[level] ?? level}`;
}

function untilIn({ language, time_zone }: Written, { valid_until, withdrawn_at }: StudentRecord): string {
  const { unlimited, withdrawn } = textsOf(language).records;
  if (withdrawn_at !== null)
    return withdrawn(dateIn(language, toLegalDate(localDateIn(time_zone, new Date(withdrawn_at)))));
  return valid_until === null ? unlimited : dateIn(language, valid_until);
}

export function examBlocks(
  document: Document,
  { exams, revision, progress }: TrainingFile,
  language: Language,
): Block[] {
  const { exams: texts, none } = textsOf(language);
  const { date, exam, sitting, result, examiner } = texts.columns;
  const columns: Column[] = [
    { name: date, width: 60 },
    { name: exam, width: 160 },
    { name: sitting, width: 45, align: "right" },
    { name: result, width: 100 },
    { name: examiner, width: 130 },
  ];
  const rows = exams.map((one) => {
    const subject = revision.subjects.find(({ code }) => code === one.subject)?.name ?? one.subject;
    const passed = one.passed ? texts.passed : texts.failed;
    const found = one.percent === null ? passed : `${one.percent} %, ${passed}`;
    const isVoid = one.status === "voided";
    return {
      cells: [
        dateIn(language, one.taken_on as LegalDate),
        [one.kind === "skill_test" ? texts.skillTest : subject, one.remarks].filter(Boolean).join(". "),
        one.sitting === null ? "" : String(one.sitting),
        isVoid ? texts.voided(one.void_reason ?? "–") : found,
        one.examiner ?? "",
      ],
      color: isVoid ? colors.quiet : colors.dark,
    };
  });
  const { theory } = progress;
  const until = theory?.valid_until ? dateIn(language, theory.valid_until) : null;
  return [
    ...section(document, texts.heading, columns, rows, none),
    ...(theory === null ? [] : [space(4), ...paragraph(document, texts.theory(theory.complete, until))]),
  ];
}

/** The lessons of the programme, and how much of each is done. */
export function syllabusBlocks(
  document: Document,
  file: TrainingFile,
  given: readonly Given[],
  language: Language,
): Block[] {
  const { revision, facts } = file;
  const { syllabus: texts, kinds, none } = textsOf(language);
  const columns: Column[] = [
    { name: texts.columns.code, width: 55 },
    { name: texts.columns.lesson, width: 240 },
    { name: texts.columns.kind, width: 60 },
    { name: texts.columns.done, width: 75, align: "right" },
    { name: texts.columns.last, width: 65, align: "right" },
  ];
  const lastOf = lastGiven(given);
  const rows = revision.lessons.map((lesson) => {
    const { done, total } = lessonWithItems(lesson, facts).items;
    const last = lastOf.get(lesson.code);
    return {
      cells: [lesson.code, lesson.name, kinds[lesson.kind], `${done} / ${total}`, last ? dayOf(language, last) : ""],
      color: done === total ? colors.dark : colors.quiet,
    };
  });
  return section(document, texts.heading, columns, rows, none);
}

/** Returns when each lesson was given last, by its code: of what counts. */
const lastGiven = (given: readonly Given[]): Map<string, string> =>
  new Map(given.flatMap(({ lesson, at, counts }) => (counts ? [[lesson.code, at] as const] : [])));

export const madeAt = ({ now }: TrainingFile) => toInstant(now);
