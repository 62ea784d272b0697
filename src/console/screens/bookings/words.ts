/** The texts about booking for oneself, in the present language. They are loaded with these screens. */
import { type Language, language } from "../../app/language.ts";
import { bookings as de } from "../../text/bookings.de.ts";
import { type BookingTexts, bookings as en } from "../../text/bookings.en.ts";

const texts: Record<Language, BookingTexts> = { en, de };

export const bookingText = (): BookingTexts => texts[language.value];
