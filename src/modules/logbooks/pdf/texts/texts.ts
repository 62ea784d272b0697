import type { Language } from "../../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type LogTexts } from "./en.ts";

const catalogues: Record<Language, LogTexts> = { en, de };

/** Returns what logs on paper say in a language. */
export const textsOf = (language: Language): LogTexts => catalogues[language];
