import { events } from "../../events/events.tables.ts";
import { deleteMentions, type PersonalData } from "../../storage/personal-data.ts";

/** Events with the person in them are deleted with their deliveries: the receivers have copies of their own. */
export const integrationsPersonal: PersonalData = {
  lists: {},
  erase: (tx, subject) => deleteMentions(tx, events, events.data, subject),
};
