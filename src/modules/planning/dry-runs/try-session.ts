/** What a booking or a change would answer. It is made and rolled back, so it is the same answer. */
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { dryRun } from "../../../storage/dry-run.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { estimateOf } from "../../finance/billing/estimate.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { isFlown } from "../rules/on-board.ts";
import { bookOne } from "../sessions/book-session.ts";
import { natureOf } from "../sessions/check-in.ts";
import { checksOf } from "../sessions/checks.ts";
import { changeOne } from "../sessions/move-session.ts";
import { resourcesOf } from "../sessions/resources-of.ts";
import { ownPerson, sessionEntity, studentsOf } from "../sessions/sessions.queries.ts";
import type { NewSession, SessionChange } from "../sessions/sessions.schemas.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import type { TriedSession } from "./dry-runs.schemas.ts";

/** @param charges whether flights are charged: not if the operator disabled `finance` */
interface Options {
  charges: boolean;
}

/** @throws as `bookSession` */
export const tryBooking = (context: InOrganization, input: NewSession, options: Options): Promise<TriedSession> =>
  trying(context, options, (tx) => bookOne(tx, context, input));

interface Change {
  sessionId: PlanningSessionId;
  change: SessionChange;
}

/** @throws as `changeSession` */
export const tryChange = (context: InOrganization, input: Change, options: Options): Promise<TriedSession> =>
  trying(context, options, (tx) => changeOne(tx, context, input));

async function trying(
  context: InOrganization,
  { charges }: Options,
  write: (tx: Tx<"tenant">) => Promise<JsonOf<Session>>,
): Promise<TriedSession> {
  authorize(context.actor, "planning:book", "planning:manage");
  const currency = charges ? await currencyOf(context) : undefined;
  return dryRun(context.tenant, async (tx) => {
    const session = (await write(tx)).value;
    const checks = await checksOf(tx, context.actor, session.id);
    return {
      session,
      checks,
      price: currency === undefined ? null : await priceOf(tx, context.actor, session, currency),
    };
  });
}

/** Returns what the session costs; null if nobody pays, or if it is not for the actor to see. */
async function priceOf(tx: Tx<"tenant">, actor: MemberActor, { id }: Session, currency: string) {
  const row = await sessionEntity.row(tx, { sessionId: id });
  const { aircraft_id, kind } = row;
  const aircraft = aircraft_id && (await findAircraftRow(tx, aircraft_id));
  if (!aircraft || !isFlown(kind)) return null;
  const { onBoard } = await resourcesOf(tx, { ...row, student_ids: await studentsOf(tx, id) });
  const planned = { ...row, aircraft_id: aircraft.id, nature: natureOf(kind, aircraft), crew: onBoard.crew };
  const price = await estimateOf(tx, planned, { currency, now: tx.now });
  return price && (await seesPrice(tx, actor, price)) ? price : null;
}

/** As with the bill of a flight: members without `finance:read` see what they pay. */
const seesPrice = async (
  reader: Reader<"tenant">,
  actor: MemberActor,
  { payer_id }: NonNullable<TriedSession["price"]>,
) => permits(actor, "finance:read") || (permits(actor, "finance:own") && (await ownPerson(reader, actor)) === payer_id);
