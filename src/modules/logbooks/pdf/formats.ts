import { toLegalDate } from "../../../core/dates.ts";
import { dateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import { clock } from "../../../pdf/formats.ts";
import type { LogPeriod } from "../logbooks.schemas.ts";
import { textsOf } from "./texts/texts.ts";

/** Returns the period of a log in words, and its zone. */
export function periodIn(language: Language, { from, to }: LogPeriod): string {
  const minute = (instant: string) => {
    const day = Temporal.PlainDate.from(instant.slice(0, 10));
    return `${dateIn(language, toLegalDate(day))} ${clock(instant)}`;
  };
  return textsOf(language).period({ from: from && minute(from), before: to && minute(to) });
}
