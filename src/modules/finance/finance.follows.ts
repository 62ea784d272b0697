import { type Follower, on } from "../../storage/occasions.ts";
import { afterApproval, afterReversal } from "../flights/flights.occasions.ts";
import { enrolled } from "../training/training.occasions.ts";
import { raiseFlightCharges, takeBackFlightCharges } from "./billing/flight-charges.ts";
import { raiseProgramFee } from "./billing/program-fee.ts";

/** Approved flights and enrollments are charged, unless the operator disabled the module: then there is no currency. */
export const financeFollows: readonly Follower[] = [
  on(afterApproval, async (tx, { flight, by, currency }) => {
    if (currency !== undefined) await raiseFlightCharges(tx, by, flight, currency);
  }),
  on(afterReversal, (tx, { id, by }) => takeBackFlightCharges(tx, by, id)),
  on(enrolled, async (tx, { by, currency, ...enrollment }) => {
    if (currency !== undefined) await raiseProgramFee(tx, by, enrollment, currency);
  }),
];
