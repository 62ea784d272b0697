import type { Language } from "../../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type OrderTexts } from "./en.ts";

const catalogues: Record<Language, OrderTexts> = { en, de };

/** Returns what work orders say on paper in a language. */
export const textsOf = (language: Language): OrderTexts => catalogues[language];
