/** The texts about evidence packs, in the present language. They are loaded with these screens. */
import { type Language, language } from "../../app/language.ts";
import { evidence as de } from "../../text/evidence.de.ts";
import { type EvidenceTexts, evidence as en } from "../../text/evidence.en.ts";

const texts: Record<Language, EvidenceTexts> = { en, de };

export const evidenceText = (): EvidenceTexts => texts[language.value];
