/** The training file of a student as a PDF file, as an authority inspects it. */
import { ownTurn } from "../../../../core/async.ts";
import { dateIn, minuteIn } from "../../../../core/forms.ts";
import type { Language } from "../../../../core/languages.ts";
import { type Document, finished, openDocument } from "../../../../pdf/open-document.ts";
import { type Block, colors, lineHeight, page, rule, write } from "../../../../pdf/portrait-page.ts";
import {
  type FootedPage,
  facts,
  footed,
  heading,
  inTurns,
  paragraph,
  space,
  titleBlock,
} from "../../../../pdf/sheet.ts";
import { givenIn } from "../given.ts";
import type { TrainingFile } from "../read-file.queries.ts";
import { digestOf } from "../recorded.ts";
import { flightBlocks } from "./flight-blocks.ts";
import { lessonBlocks } from "./lesson-blocks.ts";
import { creditBlocks, examBlocks, madeAt, minimaBlocks, recordBlocks, syllabusBlocks } from "./standing-blocks.ts";
import { textsOf } from "./texts/texts.ts";

const width = page.right - page.left;

/** Returns the name of the file: `Training file Sam Weber PPL(A)`. */
export const titleOf = ({ student, program }: TrainingFile, language: Language): string =>
  `${textsOf(language).title} ${student.name}, ${program.name}`;

export async function* filePdf(file: TrainingFile, language: Language): AsyncGenerator<Uint8Array> {
  const document = await openDocument(titleOf(file, language), file.now, { layout: "portrait", language });
  const pages = await filePages(document, file, language);
  const texts = textsOf(language);
  for (const [at, one] of pages.entries()) {
    await ownTurn();
    document.addPage();
    one.draw(texts.page(at + 1, pages.length));
    yield* finished(document);
  }
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}

/** Returns the pages of a file, which a document may have after others. */
export async function filePages(document: Document, file: TrainingFile, language: Language): Promise<FootedPage[]> {
  const digest = digestOf(file);
  const blocks = await inTurns(sections(document, file, { digest, language }));
  const { student, program } = file;
  const texts = textsOf(language);
  const made = minuteIn(language, madeAt(file));
  return footed(document, blocks, {
    text: `${student.name} · ${program.name}`,
    whole: `${texts.made(made)} · ${digest.slice(0, 16)}`,
  });
}

function* sections(
  document: Document,
  file: TrainingFile,
  { digest, language }: { digest: string; language: Language },
): Generator<() => readonly Block[]> {
  const given = givenIn(file);
  yield () => [titleOfFile(document, file, language), ...aboutBlocks(document, file, language)];
  yield () => creditBlocks(document, file, language);
  yield () => minimaBlocks(document, file, language);
  yield () => recordBlocks(document, file, language);
  yield () => examBlocks(document, file, language);
  yield () => syllabusBlocks(document, file, given, language);
  yield () => lessonBlocks(document, given, file.student.name, language);
  yield () => flightBlocks(document, file, language);
  yield () => stateBlocks(document, file, digest, language);
}

const titleOfFile = (document: Document, { student, program, school }: TrainingFile, language: Language): Block =>
  titleBlock(document, textsOf(language).title, `${student.name} · ${program.name}\n${school.name}`);

/** The organization, with its approval. */
export function schoolBlocks(
  document: Document,
  { name, kind, approval_number, authority, home_icao }: Omit<TrainingFile["school"], "id">,
  language: Language,
): Block[] {
  const { school: texts, unknown } = textsOf(language);
  return [
    heading(document, texts.heading),
    ...facts(document, [
      [texts.name, name],
      [texts.kind, texts.kinds[kind]],
      [texts.number, approval_number ?? unknown],
      [texts.authority, authority],
      [texts.home, home_icao],
    ]),
  ];
}

function aboutBlocks(document: Document, file: TrainingFile, language: Language): Block[] {
  const { school, student, program, enrollment, revision } = file;
  const texts = textsOf(language);
  const { training, unknown } = texts;
  const day = (date: typeof enrollment.ended_on) => date && dateIn(language, date);
  const grades = new Set(
    revision.scales.flatMap((scale) =>
      scale.grades.map(({ code, name, passed }) => training.grade(code, name, passed)),
    ),
  );
  return [
    ...schoolBlocks(document, school, language),
    heading(document, texts.student.heading),
    ...facts(document, [
      [texts.student.name, student.name],
      [texts.student.born, day(student.date_of_birth) ?? unknown],
      [
        texts.student.licence,
        student.licence_number && texts.student.licenceOf(student.licence_number, student.licence_authority),
      ],
    ]),
    heading(document, training.heading),
    ...facts(document, [
      [training.program, program.name],
      [training.kind, training.kinds[program.kind]],
      [training.revision, training.revisionFrom(revision.number, dateIn(language, revision.effective_from))],
      [training.legalBasis, revision.legal_basis],
      [training.classes, revision.aircraft_classes?.join(", ") ?? null],
      [training.status, training.statuses[enrollment.status]],
      [training.started, day(enrollment.started_on)],
      [training.ended, day(enrollment.ended_on)],
      [training.planned, day(enrollment.planned_end_on)],
      [training.reason, enrollment.reason],
      [training.remarks, enrollment.remarks],
      [training.grades, [...grades].join("; ") || null],
    ]),
  ];
}

/** What the file was made from, and a line for who confirms it. */
function stateBlocks(document: Document, file: TrainingFile, digest: string, language: Language): Block[] {
  const { state } = textsOf(language);
  const { lessons, signoffs, sessions, flights, exams } = file;
  const counts = { sessions: sessions.length, flights: flights.length, exams: exams.length };
  const signature: Block = {
    height: 60,
    draw(y) {
      rule(document, y + 40);
      document.fillColor(colors.quiet).fontSize(7.5);
      write(document, [state.confirmed], { x: page.left, y: y + 43, width });
    },
  };
  const content = [
    ...paragraph(document, state.text(minuteIn(language, madeAt(file)), file.isWhole)),
    ...paragraph(document, state.counts({ ...counts, lessons: lessons.length + signoffs.length })),
    space(lineHeight / 2),
    ...paragraph(document, state.digest),
    ...paragraph(document, digest),
  ];
  return [heading(document, state.heading), ...content.map((line) => ({ ...line, staysWithNext: true })), signature];
}
