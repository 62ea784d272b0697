import { eq } from "drizzle-orm";
import { type Follower, on, onPrepared } from "../../storage/occasions.ts";
import { afterApproval, afterReversal, draftRemoved } from "../flights/flights.occasions.ts";
import { enrolled } from "../training/training.occasions.ts";
import { raiseFlightCharges, takeBackFlightCharges, toCharge } from "./billing/flight-charges.ts";
import { raiseProgramFee } from "./billing/program-fee.ts";
import { financeFlights } from "./finance.tables.ts";

/** Approved flights and enrollments are charged, unless the operator disabled the module: then there is no currency. */
export const financeFollows: readonly Follower[] = [
  onPrepared(
    afterApproval,
    async (reader, { flight, currency }) => (currency === undefined ? undefined : toCharge(reader, flight, currency)),
    (tx, { by }, found) => raiseFlightCharges(tx, by, found),
  ),
  on(draftRemoved, (tx, { id }) => tx.delete(financeFlights).where(eq(financeFlights.flight_id, id))),
  on(afterReversal, (tx, { id, by }) => takeBackFlightCharges(tx, by, id)),
  on(enrolled, async (tx, { by, currency, ...enrollment }) => {
    if (currency !== undefined) await raiseProgramFee(tx, by, enrollment, currency);
  }),
];
