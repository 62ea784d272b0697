/** Each aircraft of an organization for an inspector: its documents, what is due, its releases and what is not done. */
import { type Instant, toInstant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { dateIn, minuteIn, numberIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import { orderTitle } from "../../../core/order-title.ts";
import { hoursIn } from "../../../pdf/formats.ts";
import type { Document } from "../../../pdf/open-document.ts";
import { type Block, colors } from "../../../pdf/portrait-page.ts";
import { type Column, facts, heading, paragraph, type Row, space, table } from "../../../pdf/sheet.ts";
import { groundingNotes, typeNameIn } from "../../compliance/built-in-types.ts";
import type { Item } from "../../maintenance/items/items.shapes.ts";
import { textsOf as orderTexts } from "../../maintenance/order-file/texts/texts.ts";
import { recordTable } from "../../training/file/pdf/standing-blocks.ts";
import type { Audit, AuditedAircraft } from "../packs/read-audit.ts";
import { auditTexts } from "./audit-texts.ts";

type AuditedOrder = AuditedAircraft["orders"][number];

const quiet = { color: colors.quiet };

export function* aircraftBlocks(
  document: Document,
  { fleet, isToday, now }: Audit,
  language: Language,
): Generator<() => Block[]> {
  const texts = auditTexts(language).aircraft;
  const notes = [texts.released, ...(isToday ? [] : [texts.dueAsMade(minuteIn(language, toInstant(now)))])];
  yield () => notes.flatMap((note) => paragraph(document, note, quiet));
  for (const one of fleet) yield () => blocksOf(document, one, language);
}

function blocksOf(document: Document, one: AuditedAircraft, language: Language): Block[] {
  const texts = auditTexts(language).aircraft;
  const { aircraft, groundings, papers } = one;
  const reasons = groundings.map((grounding) => reasonIn(language, grounding)).join("; ");
  return [
    heading(document, [aircraft.registration, aircraft.model, aircraft.class].join(" · ")),
    ...facts(document, [[texts.grounded, reasons || texts.isNot]]).map((line) => ({ ...line, staysWithNext: true })),
    // None of them is withdrawn, so that no day is told of an instant.
    ...under(document, texts.papers, recordTable(document, papers, { language, time_zone: "UTC" })),
    ...under(document, texts.due.heading, dueBlocks(document, one, language)),
    ...under(document, texts.releases.heading, releaseBlocks(document, one, language)),
    ...under(document, texts.orders.heading, orderBlocks(document, one, language)),
    ...under(document, texts.defects.heading, defectBlocks(document, one, language)),
  ];
}

const under = (document: Document, title: string, content: readonly Block[]): Block[] => [
  { ...space(6), staysWithNext: true },
  ...paragraph(document, title, quiet).map((line) => ({ ...line, staysWithNext: true })),
  ...content,
];

const tableOf = (document: Document, columns: readonly Column[], rows: readonly Row[], language: Language): Block[] =>
  rows.length === 0 ? paragraph(document, auditTexts(language).aircraft.none) : table(document, columns, rows);

/** The note has its kind before it, in English. */
function reasonIn(language: Language, { kind, note }: AuditedAircraft["groundings"][number]): string {
  const { kinds, missing } = auditTexts(language).aircraft;
  const [key] = Object.entries(groundingNotes).find(([, known]) => known === note) ?? [];
  if (key !== undefined) return missing(typeNameIn(language, { key, name: key }));
  return `${kinds[kind]}: ${note.replace(/^(Defect|Overdue|The deferral has ended): /, "")}`;
}

function dueBlocks(document: Document, { tasks }: AuditedAircraft, language: Language): Block[] {
  const { columns, statuses, past } = auditTexts(language).aircraft.due;
  const rows = tasks.map((task) => ({
    cells: [
      task.name,
      everyIn(language, task),
      task.last_done_on === null ? "" : dateIn(language, task.last_done_on),
      limitsIn(language, task).join(", "),
      leftIn(language, task).join(", "),
      task.past_tolerance ? `${statuses[task.status]}, ${past}` : statuses[task.status],
    ],
    color: task.status === "overdue" ? colors.warning : colors.dark,
  }));
  return tableOf(
    document,
    [
      { name: columns.task, width: 140 },
      { name: columns.every, width: 85 },
      { name: columns.last, width: 55 },
      { name: columns.due, width: 95 },
      { name: columns.left, width: 60 },
      { name: columns.status, width: 60 },
    ],
    rows,
    language,
  );
}

function everyIn(language: Language, { interval_hours, interval_months, interval_landings }: Item): string {
  const { units } = auditTexts(language).aircraft;
  return [
    interval_hours && units.hours(numberIn(language, interval_hours).replace(/[.,]00$/, "")),
    interval_months && units.months(interval_months),
    interval_landings && units.landings(numberIn(language, String(interval_landings))),
  ]
    .filter(Boolean)
    .join(", ");
}

function limitsIn(language: Language, { due_on, due_hours, due_landings, hours_counter }: Item): string[] {
  const { units, counters } = auditTexts(language).aircraft;
  return [
    ...(due_on === null ? [] : [dateIn(language, due_on)]),
    ...(due_hours === null ? [] : [`${counters[hours_counter]} ${units.hours(numberIn(language, due_hours))}`]),
    ...(due_landings === null ? [] : [units.landings(numberIn(language, String(due_landings)))]),
  ];
}

function leftIn(language: Language, { remaining_hours, remaining_landings }: Item): string[] {
  const { units } = auditTexts(language).aircraft;
  return [
    ...(remaining_hours === null ? [] : [units.hours(numberIn(language, remaining_hours))]),
    ...(remaining_landings === null ? [] : [units.landings(numberIn(language, String(remaining_landings)))]),
  ];
}

function releaseBlocks(document: Document, { orders }: AuditedAircraft, language: Language): Block[] {
  const { columns } = auditTexts(language).aircraft.releases;
  const { approvals } = orderTexts(language).release;
  const rows = orders.flatMap(({ number, findings, release, ...order }) => {
    if (!release) return [];
    const { by, licence_number, approval, maintenance_data, airframe_minutes } = release;
    return [
      {
        cells: [
          dateIn(language, release.on as LegalDate),
          number,
          [...workOf(order), findings, maintenance_data].filter(Boolean).join(" · "),
          `${by}, ${licence_number}`,
          approval === null ? "" : [approvals[approval.kind], approval.reference].filter(Boolean).join(" "),
          hoursIn(language, airframe_minutes),
        ],
      },
    ];
  });
  return tableOf(
    document,
    [
      { name: columns.on, width: 55 },
      { name: columns.number, width: 48 },
      { name: columns.work, width: 165 },
      { name: columns.by, width: 95 },
      { name: columns.approval, width: 82 },
      { name: columns.hours, width: 50, align: "right" },
    ],
    rows,
    language,
  );
}

/** What an order is called, its tasks, and the defects in full: the title of one that a defect opened is cut. */
function workOf({ title = "–", items = [], rectified }: Pick<AuditedOrder, "title" | "items" | "rectified">): string[] {
  const called = orderTitle(title);
  const isOfDefect = called !== title && rectified.length > 0;
  const rest = [...items.map(({ name }) => name), ...rectified];
  return isOfDefect ? rest : [called, ...rest.filter((one) => one !== called)];
}

function orderBlocks(document: Document, { orders }: AuditedAircraft, language: Language): Block[] {
  const { columns, begun, planned } = auditTexts(language).aircraft.orders;
  const rows = orders.flatMap(({ number, title, started_at, completed_at }) => {
    if (completed_at !== null) return [];
    const state = started_at ? begun(minuteIn(language, started_at as Instant)) : planned;
    return [{ cells: [number, orderTitle(title ?? "–"), state] }];
  });
  return tableOf(
    document,
    [
      { name: columns.number, width: 60 },
      { name: columns.work, width: 275 },
      { name: columns.state, width: 160 },
    ],
    rows,
    language,
  );
}

function defectBlocks(document: Document, { defects }: AuditedAircraft, language: Language): Block[] {
  const { columns, grounding, deferred } = auditTexts(language).aircraft.defects;
  const rows = defects.map(({ created_at, description, grounding: grounds, deferral_reason, deferred_until }) => {
    const until = deferred_until ? dateIn(language, deferred_until) : null;
    const state = deferral_reason ? deferred(until, deferral_reason) : grounds ? grounding : "";
    return { cells: [minuteIn(language, created_at as Instant), description, state] };
  });
  return tableOf(
    document,
    [
      { name: columns.reported, width: 100 },
      { name: columns.defect, width: 235 },
      { name: columns.state, width: 160 },
    ],
    rows,
    language,
  );
}
