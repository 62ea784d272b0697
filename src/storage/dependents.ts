/**
 * Rows of public lists that show what another module owns: the name of a person, the registration of an aircraft, whether a
 * flight counts. They change with it, and a mirror that reads what changed finds them. A module declares its rows in its value.
 */
import type { AircraftId, FlightId, PersonId } from "../core/ids.ts";
import type { Tx } from "./store.ts";

/** What other modules' rows show. */
interface Shown {
  person: PersonId;
  aircraft: AircraftId;
  flight: FlightId;
}

/** Of one module: how the rows that show it get a new `updated_at`. */
export type Dependents = { readonly [Kind in keyof Shown]?: (tx: Tx<"tenant">, id: Shown[Kind]) => Promise<void> };

/** Gives the rows of all modules that show it a new `updated_at`, in the modules' order. */
export type TouchDependents = <Kind extends keyof Shown>(
  tx: Tx<"tenant">,
  kind: Kind,
  id: Shown[Kind],
) => Promise<void>;

/** As above, in the transaction whose method it is. */
export type TouchOwnDependents = <Kind extends keyof Shown>(kind: Kind, id: Shown[Kind]) => Promise<void>;

export const touchDependentsOf =
  (modules: readonly Dependents[]): TouchDependents =>
  async (tx, kind, id) => {
    for (const dependents of modules) await dependents[kind]?.(tx, id);
  };
