import type { Language } from "../../../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type FileTexts } from "./en.ts";

const catalogues: Record<Language, FileTexts> = { en, de };

/** Returns what training files say in a language. */
export const textsOf = (language: Language): FileTexts => catalogues[language];
