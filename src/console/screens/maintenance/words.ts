/** The texts about maintenance, in the present language. They are loaded with these screens. */
import { type Language, language } from "../../app/language.ts";
import { maintenance as de } from "../../text/maintenance.de.ts";
import { maintenance as en, type MaintenanceTexts } from "../../text/maintenance.en.ts";

const texts: Record<Language, MaintenanceTexts> = { en, de };

export const maintenanceText = (): MaintenanceTexts => texts[language.value];
