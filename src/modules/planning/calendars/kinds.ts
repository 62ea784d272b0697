import type { Language } from "../../../core/languages.ts";
import type { Session } from "../sessions/sessions.shapes.ts";

/** What a session without a title is called in calendars and mails. */
export const kindNames: Readonly<Record<Language, Readonly<Record<Session["kind"], string>>>> = {
  en: { flight: "Flight", lesson: "Lesson", maintenance: "Maintenance", ground: "Ground", other: "Other" },
  de: {
    flight: "Flug",
    lesson: "Unterricht",
    maintenance: "Wartung",
    ground: "Bodenunterricht",
    other: "Sonstiges",
  },
};
