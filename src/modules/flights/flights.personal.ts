import { and, eq, inArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import { yieldToEventLoop } from "../../core/async.ts";
import type { Instant } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { instantOut } from "../../http/fields.ts";
import { ascending, type PageRequest, pageBody } from "../../storage/page.ts";
import { allRows, type DataSubject, type KeptRecords, type PersonalData } from "../../storage/personal-data.ts";
import { clearTexts, eraseFromTexts, searchRows } from "../../storage/personal-texts.ts";
import { field } from "../../storage/shape.ts";
import type { Reader, Tenant, Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { recordKeeping } from "../compliance/rules/rules.ts";
import { type CrewFunction, crewFunctions } from "../rules/crew.values.ts";
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

/** In the order of an index of the crew, because a page in another order sorts all of the person's flights. */
async function* flightsWith(tenant: Pick<Tenant, "read">, personId: PersonId): AsyncGenerator<unknown> {
  for (const role of crewFunctions)
    yield* allRows(tenant, (reader, page) => flightsAs(reader, personId, role, page), PAGE);
}

const PAGE = 100;
const byFlight = ascending({ fields: { id: field(flight.fields.id.schema, flightCrew.flight_id) } }, "id");

export const flightsAs = (reader: Reader<"tenant">, personId: PersonId, role: CrewFunction, page: PageRequest) =>
  pageBody(reader, flightShowing(sql`(${personId})`), {
    ...page,
    from: sql`${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}`,
    where: and(eq(flightCrew.person_id, personId), eq(flightCrew.function, role)),
    orderBy: byFlight,
  });

/** When the person's last flights began: of all, and of those on which they were trained or trained others. */
interface LastFlights {
  any: Instant | null;
  training: Instant | null;
}

/** Reads the flights in pieces, so that requests run meanwhile. */
async function lastFlights(reader: Reader<"tenant">, personId: PersonId): Promise<LastFlights> {
  let last: LastFlights = { any: null, training: null };
  for (const role of crewFunctions) {
    for (let after = "", isLast = false; !isLast; await yieldToEventLoop()) {
      const [any, training, reached] = Piece.parse(await reader.first(pieceOfFlights, { personId, role, after }));
      last = { any: later(last.any, any), training: later(last.training, training) };
      isLast = reached === null;
      after = reached ?? after;
    }
  }
  return last;
}

const PIECE = 1000;
const Piece = z.tuple([instantOut.nullable(), instantOut.nullable(), z.string().nullable()]);

const later = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || (other !== null && other > one) ? other : one;

// A draft is no record, nor a flight that was rejected.
const isRecord = inArray(flights.status, [...recordStatuses]);
const isTraining = or(
  eq(flights.nature, "training"),
  inArray(flightCrew.function, ["dual", "solo", "spic", "instructor"]),
);
const pieceOfFlights = sql`
  select max(at), max(iif(trains, at, null)), iif(count(*) = ${PIECE}, max(id), null)
  from (
    select ${flightCrew.flight_id} as id, iif(${isRecord}, ${flights.off_block_at}, null) as at, ${isTraining} as trains
    from ${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
    where ${flightCrew.person_id} = ${sql.placeholder("personId")} and ${flightCrew.function} = ${sql.placeholder("role")}
      and ${flightCrew.flight_id} > ${sql.placeholder("after")}
    order by ${flightCrew.flight_id} limit ${PIECE})`;

/** Few flights await approval, so they are read first. */
async function hasPendingFlights(reader: Reader<"tenant">, personId: PersonId): Promise<boolean> {
  const found = await reader.values(
    sql`select 1 from ${flights} cross join ${flightCrew} on ${flightCrew.flight_id} = ${flights.id}
    where ${flights.status} = 'submitted' and ${flightCrew.person_id} = ${personId} limit 1`,
  );
  return found.length > 0;
}
