import type { AircraftId } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import { occasion, question } from "../../storage/occasions.ts";

interface Of {
  id: AircraftId;
}

export const aircraftAdded = occasion<Of>("an aircraft was added", ["compliance"]);

export const aircraftChanged = occasion<Of & { by: By }>("an aircraft was changed", ["directory"]);

/** Of another class, other records are required; and they may have expired while the aircraft was archived. */
export const requirementsChanged = occasion<Of & { by: By }>("an aircraft needs other records", ["compliance"]);

export const countersCorrected = occasion<Of & { by: By }>("counters were corrected", ["maintenance"]);

/** Public lists that show the registration, the model or the type change with it. */
export const aircraftRenamed = occasion<Of>("an aircraft is shown differently", ["flights", "maintenance", "planning"]);

/** Drafts count, too. */
export const hasFlights = question<Of, boolean>("does an aircraft have flights?", ["flights"]);
