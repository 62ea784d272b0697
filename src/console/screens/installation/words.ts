/** The texts of the operator's page, in the present language. They are loaded with it: all others do without them. */
import { type Language, language } from "../../app/language.ts";
import { installation as de } from "../../text/installation.de.ts";
import { installation as en, type InstallationTexts } from "../../text/installation.en.ts";

const texts: Record<Language, InstallationTexts> = { en, de };

export const installationText = (): InstallationTexts => texts[language.value];
