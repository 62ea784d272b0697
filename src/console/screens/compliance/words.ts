/** The texts of the area, in the present language. They are loaded with its screens. */
import { type Language, language } from "../../app/language.ts";
import { compliance as de } from "../../text/compliance.de.ts";
import { type ComplianceTexts, compliance as en } from "../../text/compliance.en.ts";

const texts: Record<Language, ComplianceTexts> = { en, de };

export const complianceText = (): ComplianceTexts => texts[language.value];
