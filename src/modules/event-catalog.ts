/** Every type of event, whichever module emits it, in one place. */
import { createCatalog, type EventDefinitions } from "../events/catalog.ts";
import {
  complianceUpdated,
  maintenanceAlert,
  medicalExpiring,
  paymentReceived,
  trainingSignoffRecorded,
  vtrIssued,
} from "../events/coming.ts";
import { webhookTest } from "../events/webhook-test.ts";
import { flightApproved, flightRejected, flightSubmitted } from "./flights/flights.events.ts";

export const eventDefinitions = {
  "flight.submitted": flightSubmitted,
  "flight.approved": flightApproved,
  "flight.rejected": flightRejected,
  "maintenance.alert": maintenanceAlert,
  "compliance.updated": complianceUpdated,
  "training.signoff.recorded": trainingSignoffRecorded,
  "payment.received": paymentReceived,
  "vtr.issued": vtrIssued,
  "medical.expiring": medicalExpiring,
  "webhook.test": webhookTest,
} as const satisfies EventDefinitions;

export const eventCatalog = createCatalog(eventDefinitions);
