/** The texts of the board, in the present language. They are loaded with it. */
import { type Language, language } from "../../app/language.ts";
import { planning as de } from "../../text/planning.de.ts";
import { planning as en, type PlanningTexts } from "../../text/planning.en.ts";

const texts: Record<Language, PlanningTexts> = { en, de };

export const planningText = (): PlanningTexts => texts[language.value];
