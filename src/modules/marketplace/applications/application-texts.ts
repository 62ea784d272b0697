/** What mails about applications say. */
import type { Language } from "../../../core/languages.ts";
import type { ApplicationStatus } from "../marketplace.tables.ts";

interface About {
  /** The organization's name. */
  organization: string;
  /** The opportunity's title. */
  opportunity: string;
  publicUrl: string;
}

interface MailText {
  subject: string;
  text: string;
}

interface Texts {
  /** To those who manage the marketplace. */
  added(about: About & { applicant: string }): MailText;
  /** To the applicant. */
  changed(about: About & { status: ApplicationStatus }): MailText;
}

export const applicationTexts: Record<Language, Texts> = {
  en: {
    added: ({ organization, opportunity, applicant, publicUrl }) => ({
      subject: "A new application",
      text: `${applicant} has applied for "${opportunity}"
of ${organization}.

Sign in to read and answer the application:
${publicUrl}
`,
    }),
    changed: ({ organization, opportunity, status, publicUrl }) => ({
      subject: "Your application",
      text: `Your application for "${opportunity}"
of ${organization} is now: ${status}.

Sign in to see it, and what the organization noted:
${publicUrl}
`,
    }),
  },
  de: {
    added: ({ organization, opportunity, applicant, publicUrl }) => ({
      subject: "Eine neue Bewerbung",
      text: `${applicant} hat sich auf „${opportunity}“
von ${organization} beworben.

Melden Sie sich an, um die Bewerbung zu lesen und zu beantworten:
${publicUrl}
`,
    }),
    changed: ({ organization, opportunity, status, publicUrl }) => ({
      subject: "Ihre Bewerbung",
      text: `Ihre Bewerbung auf „${opportunity}“
von ${organization} ist jetzt: ${germanStatuses[status]}.

Melden Sie sich an, um sie und die Anmerkungen dazu zu sehen:
${publicUrl}
`,
    }),
  },
};

const germanStatuses: Record<ApplicationStatus, string> = {
  submitted: "eingereicht",
  shortlisted: "in der engeren Auswahl",
  accepted: "angenommen",
  rejected: "abgelehnt",
  withdrawn: "zurückgezogen",
};
