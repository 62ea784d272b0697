/** What the owners are told about a suspension. */
import type { Instant } from "../../../core/clock.ts";
import { longDateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";

export interface Told {
  organization: string;
  /** The address of the installation. */
  publicUrl: string;
  /** As the operator wrote it. */
  reason: string | undefined;
  /** When it is removed, if it is. */
  removalAt: Instant | undefined;
}

type Text = (told: Told) => { subject: string; text: string };

interface Texts {
  suspended: Text;
  resumed: Text;
}

export const suspensionTexts: Record<Language, Texts> = {
  en: {
    suspended: ({ organization, publicUrl, reason, removalAt }) => ({
      subject: removalAt ? "Your flight school will be removed" : "Your flight school is suspended",
      text: `The operator of
${publicUrl}
has suspended ${organization}, which you own.
${reason === undefined ? "" : `\nReason: ${reason}\n`}
Until it is resumed, nobody can use its records, calendars and interfaces.
${removalAt ? `It will be removed with its records on ${dayIn("en", removalAt)}.` : "Its records stay as they are."}

If you have questions, ask the operator of the installation.
`,
    }),
    resumed: ({ organization, publicUrl }) => ({
      subject: "Your flight school is resumed",
      text: `The operator of
${publicUrl}
has resumed ${organization}, which you own. Its records, calendars and
interfaces can be used again, and webhooks that waited are sent.
`,
    }),
  },
  de: {
    suspended: ({ organization, publicUrl, reason, removalAt }) => ({
      subject: removalAt ? "Ihre Flugschule wird gelöscht" : "Ihre Flugschule ist gesperrt",
      text: `Der Betreiber von
${publicUrl}
hat ${organization} gesperrt. Sie sind dort Inhaber.
${reason === undefined ? "" : `\nGrund: ${reason}\n`}
Bis die Sperre aufgehoben ist, sind Daten, Kalender und Schnittstellen nicht
erreichbar.
${removalAt ? `Am ${dayIn("de", removalAt)} wird die Flugschule mit allen Daten gelöscht.` : "Die Daten bleiben unverändert."}

Bei Fragen wenden Sie sich an den Betreiber.
`,
    }),
    resumed: ({ organization, publicUrl }) => ({
      subject: "Ihre Flugschule ist wieder freigegeben",
      text: `Der Betreiber von
${publicUrl}
hat die Sperre von ${organization} aufgehoben. Sie sind dort Inhaber. Daten,
Kalender und Schnittstellen sind wieder erreichbar, und Webhooks, die gewartet
haben, werden gesendet.
`,
    }),
  },
};

const dayIn = (language: Language, at: Instant): string =>
  longDateIn(language, Temporal.PlainDate.from(at.slice(0, 10)));
