import type { Language } from "../../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

const catalogues: Record<Language, Texts> = { en, de };

/** Returns what mails about records, aircraft and sessions say in a language. Those about invoices are in finance. */
export const textsOf = (language: Language): Texts => catalogues[language];
