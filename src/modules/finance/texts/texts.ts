import type { Language } from "../../../core/languages.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

const catalogues: Record<Language, Texts> = { en, de };

/** Returns what documents, mails and lines say in a language. The forms of numbers and dates are in `core/forms.ts`. */
export const textsOf = (language: Language): Texts => catalogues[language];
