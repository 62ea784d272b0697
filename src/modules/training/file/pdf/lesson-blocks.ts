/** The lessons of a training file on paper, with their grades, remarks and signatures. */
import type { Instant } from "../../../../core/clock.ts";
import type { LegalDate } from "../../../../core/dates.ts";
import { dateIn, minuteIn } from "../../../../core/forms.ts";
import type { Language } from "../../../../core/languages.ts";
import { linesOf } from "../../../../pdf/fit-text.ts";
import { clock, hours } from "../../../../pdf/formats.ts";
import type { Document } from "../../../../pdf/open-document.ts";
import { type Block, colors, page, rule, wrapped, write } from "../../../../pdf/portrait-page.ts";
import { heading, paragraph } from "../../../../pdf/sheet.ts";
import type { FlownFlight } from "../file.shapes.ts";
import type { Given } from "../given.ts";
import { textsOf } from "./texts/texts.ts";

const width = page.right - page.left;
const half = width / 2;
const itemWidth = 300;

export function lessonBlocks(
  document: Document,
  given: readonly Given[],
  student: string,
  language: Language,
): Block[] {
  const texts = textsOf(language);
  const all = given.flatMap((one) => entryBlocks(document, one, student, language));
  const none = all.length === 0 ? paragraph(document, texts.none, { color: colors.quiet }) : [];
  return [heading(document, texts.lessons.heading), ...all, ...none];
}

function entryBlocks(document: Document, one: Given, student: string, language: Language): Block[] {
  const { remarks, voided, grades, counts } = one;
  const texts = textsOf(language).lessons;
  const blocks = [
    titleBlock(document, one, language),
    ...(voided === null
      ? []
      : paragraph(document, texts.voided(minuteIn(language, voided.at), voided.reason), { color: colors.warning })),
    ...(counts || voided !== null || grades.length > 0
      ? []
      : paragraph(document, `– ${texts.uncounted}`, { color: colors.quiet })),
    ...grades.flatMap((graded) => gradeBlocks(document, graded, language, voided !== null)),
    ...(remarks === null ? [] : paragraph(document, `${texts.remarks}: ${remarks}`)),
  ];
  // The signatures are not alone on a page.
  const [last] = blocks.splice(-1);
  const stays = last === undefined ? [] : [{ ...last, staysWithNext: true }];
  return [...blocks, ...stays, signatureBlock(document, one, student, language), end(document)];
}

const end = (document: Document): Block => ({ height: 6, draw: (y) => rule(document, y + 3) });

/** Returns the day, the lesson, and how it was given. */
function titleBlock(document: Document, one: Given, language: Language): Block {
  const { at, lesson, revision, voided } = one;
  const texts = textsOf(language).lessons;
  const name = [lesson.code, lesson.name].filter(Boolean).join(" ");
  const of = revision === null ? "" : ` (${texts.revision(revision)})`;
  const text = `${dateIn(language, at.slice(0, 10) as LegalDate)} · ${name}${of}`;
  document.fontSize(9.5);
  const lines = wrapped(document, text, width, 6);
  document.fontSize(7.5);
  const below = linesOf(howGiven(one, language), width, 6, (part) => document.widthOfString(part));
  return {
    height: 8 + lines.length * 12 + below.length * 9.5 + 4,
    staysWithNext: true,
    draw(y) {
      document.fillColor(voided === null ? colors.dark : colors.quiet).fontSize(9.5);
      write(document, lines, { x: page.left, y: y + 8, width });
      document.fillColor(colors.quiet).fontSize(7.5);
      write(document, below, { x: page.left, y: y + 8 + lines.length * 12, width, leading: 9.5 });
    },
  };
}

function howGiven({ flight, minutes }: Given, language: Language): string {
  const texts = textsOf(language);
  if (minutes !== null) return texts.lessons.ground(hours(minutes));
  if (flight === undefined) return "";
  const { aircraft, departure, arrival, off_block_at, on_block_at, block_minutes } = flight;
  const route = [departure, arrival].filter(Boolean).join(" – ");
  const times = `${clock(off_block_at)} – ${clock(on_block_at)} UTC`;
  const how = howFlown(flight, language);
  return [`${aircraft.registration}, ${aircraft.model}`, route, times, hours(block_minutes), how]
    .filter(Boolean)
    .join(" · ");
}

function howFlown({ nature, function: as, supervisor }: FlownFlight, language: Language): string {
  const { flights, lessons } = textsOf(language);
  if (nature === "simulator") return flights.functions.session;
  return as === "solo" ? lessons.solo(supervisor ?? lessons.unnamed) : flights.functions[as];
}

function gradeBlocks(
  document: Document,
  { item, grade, name, passed, counts, milestone, remarks }: Given["grades"][number],
  language: Language,
  isVoid: boolean,
): Block[] {
  const { lessons, training } = textsOf(language);
  document.fontSize(8.5);
  const marked = milestone === null ? item.name : `${item.name} (${lessons.milestones[milestone]})`;
  const items = wrapped(document, `${item.code} ${marked}`, itemWidth - 12, 8);
  const notes = counts || isVoid ? "" : ` – ${lessons.uncounted}`;
  const given = grade === name ? grade : training.grade(grade, name, passed);
  const grades = wrapped(document, `${given}${notes}`, width - itemWidth, 8);
  const color = counts ? colors.dark : colors.quiet;
  return [
    {
      height: Math.max(items.length, grades.length) * 11 + 1,
      draw(y) {
        document.fillColor(color).fontSize(8.5);
        write(document, items, { x: page.left, y, width: itemWidth, leading: 11 });
        write(document, grades, { x: page.left + itemWidth, y, width: width - itemWidth, leading: 11 });
      },
    },
    ...(remarks === null ? [] : paragraph(document, remarks, { color: colors.quiet, indent: 14, isSmall: true })),
  ];
}

/** Returns both signatures beside each other, with their times. */
function signatureBlock(document: Document, one: Given, student: string, language: Language): Block {
  const { instructor, entered_by, signed_at, acknowledged_at } = one;
  const texts = textsOf(language).lessons;
  const minute = (at: Instant) => minuteIn(language, at);
  const own =
    entered_by === null ? texts.signed(minute(signed_at)) : `${texts.entered(entered_by.name)}, ${minute(signed_at)}`;
  const seen = acknowledged_at ? texts.acknowledged(minute(acknowledged_at)) : texts.unacknowledged;
  document.fontSize(7.5);
  const fit = (text: string) => linesOf(text, half - 16, 4, (part) => document.widthOfString(part));
  const left = [...fit(`${texts.instructor}: ${instructor}`), ...fit(own)];
  const right = acknowledged_at === undefined ? [] : [...fit(`${texts.student}: ${student}`), ...fit(seen)];
  return {
    height: Math.max(left.length, right.length) * 9.5 + 6,
    draw(y) {
      document.fillColor(colors.quiet).fontSize(7.5);
      write(document, left, { x: page.left, y: y + 4, width: half, leading: 9.5 });
      write(document, right, { x: page.left + half, y: y + 4, width: half, leading: 9.5 });
    },
  };
}
