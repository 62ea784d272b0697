import { and, eq, inArray, or, sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { type PageRequest, pageBody } from "../../storage/page.ts";
import {
  allRows,
  type DataSubject,
  eraseFromTexts,
  type KeptRecords,
  type PersonalData,
  searchRows,
} from "../../storage/personal-data.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { recordKeeping } from "../compliance/rules/rules.ts";
import { flightShowing, newestFirst } from "./flights.queries.ts";
import { flightCrew, flightFlyers, flights, isPublic } from "./flights.tables.ts";

/** Flights keep their figures, and the id of the person without a name. */
export const flightsPersonal: PersonalData = {
  lists: {
    flights: (tenant, { personId }) => allRows(tenant, (reader, page) => flightsWith(reader, personId, page)),
  },
  async kept(reader, { personId }, kind) {
    const rules = kind === "ato" ? [recordKeeping.training, recordKeeping.ato] : [recordKeeping.training];
    const dates: KeptRecords[] = [];
    for (const rule of rules) {
      const last = await lastFlight(reader, personId, rule === recordKeeping.training);
      if (last === undefined) continue;
      const until = toLegalDate((await today(reader, last)).add({ years: rule.years }));
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
    await tx.update(flightFlyers).set({ user_id: null, email: null }).where(eq(flightFlyers.person_id, personId));
    await eraseFromTexts(tx, flights, freeTexts, subject);
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
  const { personId, name } = subject;
  const others = sql`
    (select json_group_array(json(finding.value)) from json_each(${flights.findings}) as finding
    where finding.value ->> '$.person_id' is not ${personId})`;
  await searchRows(tx, flights, sql`instr(${flights.findings}, ${personId}) > 0`, (found) =>
    tx.run(sql`update ${flights} set findings = ${others} where ${found}`),
  );
  // As in JSON text.
  await eraseFromTexts(tx, flights, ["findings"], { ...subject, name: name && JSON.stringify(name).slice(1, -1) });
}

const flightsWith = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, flightShowing(sql`(${personId})`), {
    ...page,
    from: sql`${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}`,
    where: eq(flightCrew.person_id, personId),
    orderBy: newestFirst,
  });

/** Returns the start of the person's last flight; with `isTraining`, of the last on which they were trained or trained others. */
async function lastFlight(
  reader: Reader<"tenant">,
  personId: PersonId,
  isTraining: boolean,
): Promise<Instant | undefined> {
  const [row] = await reader
    .select({ at: sql<Instant | null>`max(${flights.off_block_at})` })
    .from(flightCrew)
    .innerJoin(flights, eq(flights.id, flightCrew.flight_id))
    .where(
      and(
        eq(flightCrew.person_id, personId),
        isPublic, // a draft is no record
        isTraining ? or(eq(flights.nature, "training"), inArray(flightCrew.function, trained)) : undefined,
      ),
    );
  return row?.at ?? undefined;
}

const trained = ["dual", "solo", "spic", "instructor"] as const;

async function hasPendingFlights(reader: Reader<"tenant">, personId: PersonId): Promise<boolean> {
  const found = await reader
    .select({ id: flights.id })
    .from(flightCrew)
    .innerJoin(flights, eq(flights.id, flightCrew.flight_id))
    .where(and(eq(flightCrew.person_id, personId), eq(flights.status, "submitted")))
    .limit(1);
  return found.length > 0;
}
