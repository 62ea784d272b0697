/** The texts about money, in the present language. They are loaded with these screens. */
import { type Language, language } from "../../app/language.ts";
import { finance as de } from "../../text/finance.de.ts";
import { finance as en, type FinanceTexts } from "../../text/finance.en.ts";

const texts: Record<Language, FinanceTexts> = { en, de };

export const financeText = (): FinanceTexts => texts[language.value];
