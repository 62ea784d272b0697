import type { PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { counterCorrections, groundings } from "./fleet.tables.ts";

export const fleetPersonal: PersonalData = {
  lists: {},
  async erase(tx, subject) {
    await eraseFromTexts(tx, groundings, ["note", "lift_note"], subject);
    await eraseFromTexts(tx, counterCorrections, ["reason"], subject);
  },
};
