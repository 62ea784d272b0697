import type { Language } from "../../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

const catalogues: Record<Language, Texts> = { en, de };

/** Returns what mails to accounts say in a language. */
export const textsOf = (language: Language): Texts => catalogues[language];
