import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { yieldToEventLoop } from "../../core/async.ts";
import type { Instant } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { ascending, descending, type PageRequest, pageBody } from "../../storage/page.ts";
import { allRows, type DataSubject, type KeptRecords, type PersonalData } from "../../storage/personal-data.ts";
import { clearTexts, eraseFromTexts, searchRows } from "../../storage/personal-texts.ts";
import { field } from "../../storage/shape.ts";
import type { Reader, Tenant, Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { recordKeeping } from "../compliance/rules/rules.ts";
import { draftsOnlyOf, flightEntity, flightShowing, flightsOfPerson } from "./flights.queries.ts";
import { flight } from "./flights.shapes.ts";
import { flightCrew, flightFlyers, flights, recordStatuses } from "./flights.tables.ts";

/**
 * Flights keep their figures, and the id of the person without a name: rejected ones as well, because mirrors have them. Nobody
 * needs a draft of nobody else.
 */
export const flightsPersonal: PersonalData = {
  lists: {
    flights: (tenant, { personId }) => flightsWith(tenant, personId),
    flights_supervised: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => flightsSupervisedBy(reader, personId, page), PAGE),
  },
  async kept(reader, { personId }, kind) {
    const last = await lastFlights(reader, personId);
    const rules = [
      { rule: recordKeeping.training, at: last.training },
      { rule: recordKeeping.ato, at: kind === "ato" ? last.any : null },
    ];
    const dates: KeptRecords[] = [];
    for (const { rule, at } of rules) {
      if (at === null) continue;
      const until = toLegalDate((await today(reader, at)).add({ years: rule.years }));
      dates.push({ until, what: rule.title, article: rule.source.article });
    }
    return dates.sort((one, other) => (one.until < other.until ? 1 : -1))[0];
  },
  async check(reader, { personId }) {
    if (await hasPendingFlights(reader, personId))
      throw conflict(
        "flights_pending",
        "A flight with this person in its crew awaits approval. Approve or reject it first.",
      );
  },
  async erase(tx, subject) {
    const { personId } = subject;
    await searchRows(tx, flightFlyers, eq(flightFlyers.person_id, personId), (found) =>
      tx.update(flightFlyers).set({ user_id: null, email: null }).where(found),
    );
    await tx.delete(flights).where(sql`${flights.id} in ${draftsOnlyOf(personId)}`);
    const isOwn = sql`${flights.id} in ${flightsOfPerson(personId)}`;
    await clearTexts(tx, flights, freeTexts, isOwn, flightEntity.changeTime);
    await tx.run(sql`update ${flightCrew} set has_workshop_remarks = 0
      where has_workshop_remarks = 1 and flight_id in ${flightsOfPerson(personId)}`);
    await eraseFromTexts(tx, flights, freeTexts, subject, flightEntity);
    await eraseFindings(tx, subject);
  },
};

const freeTexts = [
  "lesson",
  "remarks",
  "workshop_remarks",
  "rejection_reason",
  "reversal_reason",
  "self_approval_reason",
] as const;

/** Deletes the findings about the person, and the person's name in those about an instructor whom they supervise. */
async function eraseFindings(tx: Tx<"tenant">, subject: DataSubject): Promise<void> {
  const { personId } = subject;
  const others = sql`
    (select json_group_array(json(finding.value)) from json_each(${flights.findings}) as finding
    where finding.value ->> '$.person_id' is not ${personId})`;
  await searchRows(tx, flights, sql`instr(${flights.findings}, ${personId}) > 0`, (found) =>
    tx.run(sql`update ${flights} set findings = ${others} where ${found}`),
  );
  await eraseFromTexts(tx, flights, ["findings"], subject);
}

const PAGE = 100;

/** In the order of an index of the crew, because a page in another order sorts all of the person's flights. */
const flightsWith = (tenant: Pick<Tenant, "read">, personId: PersonId): AsyncGenerator<unknown> =>
  allRows(tenant, (reader, page) => flightsOn(reader, personId, page), PAGE);

const keys = {
  off_block_at: field(z.string(), flightCrew.off_block_at),
  id: field(flight.fields.id.schema, flightCrew.flight_id),
};
const byTime = ascending({ fields: keys }, "off_block_at", "id");

export const flightsOn = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, flightShowing(sql`(${personId})`), {
    ...page,
    from: sql`${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}`,
    where: eq(flightCrew.person_id, personId),
    orderBy: byTime,
  });

const supervisedFirst = descending(flight, "off_block_at", "id");

/** Solo flights that the person supervised from the ground. */
export const flightsSupervisedBy = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, flightShowing(sql`(${personId})`), {
    ...page,
    from: flights,
    where: eq(flights.supervisor_id, personId),
    orderBy: supervisedFirst,
  });

/** When the person's last flights began: of all, and of those on which they were trained or trained others. */
interface LastFlights {
  any: Instant | null;
  training: Instant | null;
}

/** Reads the flights in pieces, the latest first, so that requests run meanwhile. */
async function lastFlights(reader: Reader<"tenant">, personId: PersonId): Promise<LastFlights> {
  let any: Instant | null = null;
  for (let before = { at: "~", id: "" }; ; await yieldToEventLoop()) {
    const rows = await reader
      .select({ id: flightCrew.flight_id, at: flightCrew.off_block_at, isRecord, isTraining })
      .from(flightCrew)
      .innerJoin(flights, eq(flights.id, flightCrew.flight_id))
      .where(
        and(
          eq(flightCrew.person_id, personId),
          sql`(${flightCrew.off_block_at}, ${flightCrew.flight_id}) < (${before.at}, ${before.id})`,
        ),
      )
      .orderBy(desc(flightCrew.off_block_at), desc(flightCrew.flight_id))
      .limit(PIECE);
    any ??= rows.find((row) => row.isRecord)?.at || null;
    const training = rows.find((row) => row.isRecord && row.isTraining)?.at || null;
    const last = rows[PIECE - 1];
    if (training !== null || last === undefined) return { any, training };
    before = last;
  }
}

const PIECE = 1000;

// A draft is no record, nor a flight that was rejected.
const isRecord = inArray(flights.status, [...recordStatuses]).as("is_record");
const isTaught = inArray(flightCrew.function, ["dual", "solo", "spic", "instructor"]);
const isTraining = sql<number>`(${flights.nature} is 'training' or ${isTaught})`.as("is_training");

/** Few flights await approval, so they are read first. */
async function hasPendingFlights(reader: Reader<"tenant">, personId: PersonId): Promise<boolean> {
  const found = await reader.values(
    sql`select 1 from ${flights} cross join ${flightCrew} on ${flightCrew.flight_id} = ${flights.id}
    where ${flights.status} = 'submitted' and ${flightCrew.person_id} = ${personId} limit 1`,
  );
  return found.length > 0;
}
