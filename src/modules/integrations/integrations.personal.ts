import { sql } from "drizzle-orm";
import { events } from "../../events/events.tables.ts";
import { eraseFromTexts, type PersonalData, searchRows } from "../../storage/personal-data.ts";

/**
 * Events with the person in them are deleted with their deliveries: the receivers have copies of their own. In what members wrote
 * about something else, only the names and addresses are replaced.
 */
export const integrationsPersonal: PersonalData = {
  lists: {},
  async eraseTraces(tx, subject) {
    await searchRows(tx, events, sql`instr(${events.data}, ${subject.personId}) > 0`, (found) =>
      tx.delete(events).where(found),
    );
    await eraseFromTexts(tx, events, ["data"], subject, undefined, { inJson: true });
  },
};
