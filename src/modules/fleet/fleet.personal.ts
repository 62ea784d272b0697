import { eraseFromTexts, type PersonalData } from "../../storage/personal-data.ts";
import { groundings } from "./fleet.tables.ts";

export const fleetPersonal: PersonalData = {
  lists: {},
  erase: (tx, subject) => eraseFromTexts(tx, groundings, ["note"], subject),
};
