/** What waits for the caller. */
import { type MemberActor, permits } from "../../core/actor.ts";
import type { Capability } from "../../core/capabilities.ts";
import { toInstant } from "../../core/clock.ts";
import type { Permission } from "../../core/permissions.ts";
import { currencyOf } from "../../identity/currency.queries.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Reader } from "../../storage/store.ts";
import { startOf, today } from "../../storage/today.ts";
import { findAccount } from "../finance/accounts/accounts.queries.ts";
import { listFlights } from "../flights/flights.queries.ts";
import { listSessions, ownPerson } from "../planning/sessions/sessions.queries.ts";
import { findAircraftInNeed, findDrafts, findLapses, findOpenDefects } from "./attention.queries.ts";
import { countFailingEndpoints, countUnacknowledged, countWaiting } from "./counts.queries.ts";
import { firstOf } from "./first-of.ts";

/** Rows of a part. */
const few = 6;
/** A small school sees all sessions of a day. */
const ofDay = 60;

/** Returns `Today` as JSON text: each part only if the caller may read it and its feature is enabled, and null otherwise. */
export async function readToday(context: InOrganization, capabilities: ReadonlySet<Capability>): Promise<string> {
  const { actor, tenant, clock } = context;
  const now = clock.now();
  const currency = await currencyOf(context);
  const may = (...anyOf: readonly Permission[]) => anyOf.some((one) => permits(actor, one));
  const has = (feature: Capability, ...anyOf: readonly Permission[]) => capabilities.has(feature) && may(...anyOf);
  return tenant.read(async (reader) => {
    const day = await today(reader, now);
    const personId = await ownPerson(reader, actor);
    const parts = {
      day: JSON.stringify(day.toString()),
      bookings: has("planning", "planning:read", "planning:read_own")
        ? await bookings(reader, actor, { day, now })
        : null,
      coming: has("planning", "planning:read") ? await coming(reader, actor, day) : null,
      approvals: may("flights:approve") ? await approvals(reader, actor) : null,
      drafts: may("flights:submit") ? await findDrafts(reader, actor, few) : null,
      aircraft: may("maintenance:read") ? await findAircraftInNeed(reader, few) : null,
      lapses: may("compliance:read") ? await findLapses(reader, few) : null,
      defects: may("maintenance:read") ? await findOpenDefects(reader, few) : null,
      failing_endpoints: may("integrations:manage") ? await countFailingEndpoints(reader) : null,
      wishes: has("planning", "planning:manage") ? await countWaiting(reader) : null,
      signoffs: has("training", "training:read_own") && personId ? await countUnacknowledged(reader, personId) : null,
      account:
        has("finance", "finance:own") && personId
          ? JSON.stringify(await findAccount(reader, { personId, actor, currency }))
          : null,
    };
    const fields = Object.entries(parts).map(([name, json]) => `"${name}":${json}`);
    return `{"data":{${fields.join()}}}`;
  });
}

/** Of the whole day for those who see all, else the caller's from now on. */
async function bookings(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { day, now }: { day: Temporal.PlainDate; now: Date },
): Promise<string> {
  const query = permits(actor, "planning:read")
    ? { from: await startOf(reader, day), to: await startOf(reader, day.add({ days: 1 })), limit: ofDay }
    : { from: toInstant(now), limit: few };
  return firstOf(await listSessions(reader, actor, { ...query, with_total: true }));
}

/** After the day, so that an evening shows the next morning. */
const coming = async (reader: Reader<"tenant">, actor: MemberActor, day: Temporal.PlainDate): Promise<string> =>
  firstOf(
    await listSessions(reader, actor, {
      from: await startOf(reader, day.add({ days: 1 })),
      limit: few,
      with_total: true,
    }),
  );

const approvals = async (reader: Reader<"tenant">, actor: MemberActor): Promise<string> =>
  firstOf(await listFlights(reader, actor, { status: "submitted", limit: few, with_total: true }));
