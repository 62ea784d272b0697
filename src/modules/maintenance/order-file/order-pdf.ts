/** A work order with its release to service as a PDF file, as it is put into the aircraft's records and signed. */
import { ownTurn } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { dateIn, minuteIn, numberIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import { orderTitle } from "../../../core/order-title.ts";
import { hoursIn } from "../../../pdf/formats.ts";
import { type Document, openDocument } from "../../../pdf/open-document.ts";
import { type Block, colors, page, rule, write } from "../../../pdf/portrait-page.ts";
import { facts, footed, heading, paragraph, table, titleBlock } from "../../../pdf/sheet.ts";
import type { OrderFile } from "./read-order-file.ts";
import { textsOf } from "./texts/texts.ts";

const width = page.right - page.left;

/** Returns the name of the file: `Work order 2026-017 D-EABC 100-hour inspection`. */
export const titleOf = ({ aircraft, order }: OrderFile, language: Language): string =>
  `${textsOf(language).title.open(order.number)} ${aircraft.registration} ${orderTitle(order.title)}`;

export async function orderPdf(file: OrderFile, language: Language): Promise<Uint8Array> {
  const document = await openDocument(titleOf(file, language), new Date(file.now), { layout: "portrait", language });
  const texts = textsOf(language);
  const text = `${file.order.number} · ${file.aircraft.registration} · ${orderTitle(file.order.title)}`;
  const whole = texts.made(minuteIn(language, file.now));
  const pages = footed(document, blocksOf(document, file, language), { text, whole });
  for (const [at, one] of pages.entries()) {
    await ownTurn();
    document.addPage();
    one.draw(texts.page(at + 1, pages.length));
  }
  document.end();
  return Buffer.concat(await Array.fromAsync(document));
}

const blocksOf = (document: Document, file: OrderFile, language: Language): Block[] => [
  titleOfOrder(document, file, language),
  ...aboutBlocks(document, file, language),
  ...workBlocks(document, file, language),
  ...releaseBlocks(document, file, language),
];

function titleOfOrder(document: Document, { order, aircraft, school }: OrderFile, language: Language): Block {
  const { title } = textsOf(language);
  const text = (order.release === null ? title.open : title.released)(order.number);
  return titleBlock(document, text, `${aircraft.registration}, ${aircraft.model}\n${school.name}`);
}

function aboutBlocks(document: Document, { order, aircraft, school }: OrderFile, language: Language): Block[] {
  const { aircraft: about, order: words } = textsOf(language);
  const at = (instant: string | null) => instant && minuteIn(language, instant as Instant);
  return [
    heading(document, about.heading),
    ...facts(document, [
      [about.registration, aircraft.registration],
      [about.model, aircraft.model],
      [about.serial, aircraft.serial_number ?? about.noSerial],
      [about.school, [school.name, school.approval_number].filter(Boolean).join(", ")],
    ]),
    heading(document, words.heading),
    ...facts(document, [
      [words.number, order.number],
      [words.title, orderTitle(order.title)],
      [words.status, words.statuses[order.status]],
      [words.opened, [at(order.created_at), order.opened_by_name].filter(Boolean).join(", ")],
      [words.started, at(order.started_at)],
    ]),
  ];
}

function workBlocks(document: Document, { order, defects }: OrderFile, language: Language): Block[] {
  const texts = textsOf(language);
  const under = (title: string, blocks: readonly Block[]) =>
    blocks.length === 0 ? [] : [heading(document, title), ...blocks];
  return [
    ...under(
      texts.items.heading,
      order.items.flatMap(({ name }) => paragraph(document, `– ${name}`)),
    ),
    ...under(
      texts.defects.heading,
      table(
        document,
        [
          { name: texts.defects.description, width: 375 },
          { name: texts.defects.reported, width: 120 },
        ],
        defects.map(({ description, created_at }) => ({ cells: [description, minuteIn(language, created_at)] })),
      ),
    ),
    ...under(texts.findings.heading, order.findings === null ? [] : paragraph(document, order.findings)),
    ...under(texts.hours.heading, hoursBlocks(document, order, language)),
    ...under(texts.parts.heading, partBlocks(document, order.parts, language)),
  ];
}

function hoursBlocks(document: Document, { hours, worked_minutes }: OrderFile["order"], language: Language): Block[] {
  const words = textsOf(language).hours;
  const rows = hours.map(({ person_name, worked_by, worked_on, minutes }) => ({
    cells: [person_name ?? worked_by ?? "", dateIn(language, worked_on as LegalDate), hoursIn(language, minutes)],
  }));
  const sum = { cells: [words.sum, "", hoursIn(language, worked_minutes)] };
  return table(
    document,
    [
      { name: words.name, width: 265 },
      { name: words.day, width: 100 },
      { name: words.minutes, width: 80, align: "right" },
    ],
    rows.length > 1 ? [...rows, sum] : rows,
  );
}

function partBlocks(document: Document, parts: OrderFile["order"]["parts"], language: Language): Block[] {
  const words = textsOf(language).parts;
  return table(
    document,
    [
      { name: words.name, width: 165 },
      { name: words.part, width: 100 },
      { name: words.serial, width: 95 },
      { name: words.batch, width: 85 },
      { name: words.quantity, width: 50, align: "right" },
    ],
    parts.map(({ name, part_number, serial_number, batch_number, quantity }) => ({
      cells: [name, part_number ?? "", serial_number ?? "", batch_number ?? "", numberIn(language, quantity)],
    })),
  );
}

/** A counter that has never run is that of an instrument which the aircraft does not have. */
const readIn = (language: Language, hours: string): string | null =>
  Number(hours) === 0 ? null : numberIn(language, hours);

const together = (blocks: readonly Block[]): Block[] => blocks.map((block) => ({ ...block, staysWithNext: true }));

/** Lines of the work on a certificate that still leave room for the rest of it on one page. */
const mostOnPage = 25;

function releaseBlocks(document: Document, { order, aircraft, defects }: OrderFile, language: Language): Block[] {
  const { release: words, aircraft: about, order: ofOrder } = textsOf(language);
  const { release } = order;
  if (release === null)
    return [heading(document, words.heading), ...paragraph(document, words.none, { color: colors.warning })];
  const { approval } = release;
  const serial = `${about.serial} ${aircraft.serial_number ?? about.noSerial}`;
  // It may stand on a page of its own, and is about this aircraft and this work there, too.
  const subject = facts(document, [
    [about.heading, [aircraft.registration, aircraft.model, serial].join(", ")],
    [ofOrder.heading, order.number],
  ]);
  const done = [
    ...order.items.map(({ name }) => name),
    ...defects.map(({ description }) => words.rectified(description)),
    ...(order.findings === null ? [] : [order.findings]),
  ];
  const work = facts(document, [[words.done, done.map((one) => `– ${one}`).join("\n")]]);
  const rows = facts(document, [
    [words.by, release.by],
    [words.licence, release.licence_number],
    [words.approval, approval && [words.approvals[approval.kind], approval.reference].filter(Boolean).join(" ")],
    [words.data, release.maintenance_data],
    [words.on, dateIn(language, release.on as LegalDate)],
    [words.airframe, hoursIn(language, release.airframe_minutes)],
    ["Hobbs", readIn(language, release.hobbs)],
    ["Tacho", readIn(language, release.tacho)],
    [words.landings, numberIn(language, String(release.landings))],
    [words.entered, order.completed_at && minuteIn(language, order.completed_at as Instant)],
  ]);
  const lines = approval === null ? [] : paragraph(document, words.statement(approval.kind));
  const stated = lines.map((line, at) => (at === lines.length - 1 ? { ...line, height: line.height + 6 } : line));
  const signature: Block = {
    height: 60,
    draw(y) {
      rule(document, y + 40);
      document.fillColor(colors.quiet).fontSize(7.5);
      write(document, [`${words.signature}: ${release.by}, ${aircraft.registration}, ${order.number}`], {
        x: page.left,
        y: y + 43,
        width,
      });
    },
  };
  return [
    heading(document, words.heading),
    ...together([...stated, ...subject]),
    ...(work.length > mostOnPage ? work : together(work)),
    ...together(rows),
    signature,
  ];
}
