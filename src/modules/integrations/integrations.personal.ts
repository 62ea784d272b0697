import { sql } from "drizzle-orm";
import { deliveryAttempts, events, webhookEndpoints } from "../../events/events.tables.ts";
import type { PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts, searchRows } from "../../storage/personal-texts.ts";
import { apiKeys } from "./api-keys/api-keys.tables.ts";

/**
 * Events with the person in them are deleted with their deliveries: the receivers have copies of their own. In what members wrote
 * about something else, only the names and addresses are replaced.
 */
export const integrationsPersonal: PersonalData = {
  lists: {},
  async erase(tx, subject) {
    await eraseFromTexts(tx, apiKeys, ["name"], subject);
    await eraseFromTexts(tx, webhookEndpoints, ["description"], subject);
  },
  async eraseTraces(tx, subject) {
    await searchRows(tx, events, sql`instr(${events.data}, ${subject.personId}) > 0`, (found) =>
      tx.delete(events).where(found),
    );
    await eraseFromTexts(tx, events, ["data"], subject, { inJson: true });
    await eraseFromTexts(tx, deliveryAttempts, ["response_body", "response_headers"], subject);
  },
};
