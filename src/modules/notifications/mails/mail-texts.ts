/** The texts of the mails. A mail to a person has no data of other people; one about a medical has class and date only. */
import { longDateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Mail } from "../../../mail/mailer.ts";
import type { AircraftAlert } from "../../mails/mails.values.ts";
import type { AlertedAircraft, ExpiringRecord } from "./mail-subjects.queries.ts";
import type { Recipient } from "./recipients.queries.ts";

export interface Text extends Pick<Mail, "subject" | "text" | "calendar"> {
  /** By default English. */
  language?: Language;
}

/** @param owner the name of the person whose record it is; undefined in the mail to the person */
export function recordText(record: ExpiringRecord, owner: string | undefined): Text {
  const { days_left, valid_until } = record;
  const what = recordName(record);
  const when = `${days_left < 0 ? "expired" : "expires"} on ${dateText(valid_until)}`;
  const left = days_left < 0 ? "" : `, ${inDays(days_left)}`;
  return owner === undefined
    ? { subject: `Your ${what} ${when}`, text: `Your ${what} ${when}${left}.` }
    : { subject: `${owner}: ${what} ${when}`, text: `The ${what} of ${owner} ${when}${left}.` };
}

function recordName({ type, type_name, level }: ExpiringRecord): string {
  if (type !== "medical") return `record "${type_name}"${level === null ? "" : ` (${level})`}`;
  return `medical certificate (${level === "lapl" ? "LAPL" : level?.replace("_", " ")})`;
}

const inDays = (days: number) => (days === 0 ? "today" : `in ${days} ${days === 1 ? "day" : "days"}`);

/** These mails are in English. */
export const dateText = (date: Temporal.PlainDate): string => longDateIn("en", date);

export function aircraftText({ alert, registration, model, about }: AlertedAircraft): Text {
  const { subject, sentence } = alertTexts[alert];
  return {
    subject: `${registration}: ${subject(about.join(", "))}`,
    text: `${registration} (${model}): ${sentence}\n\n${about.map((line) => `- ${line}`).join("\n")}`,
  };
}

const alertTexts: Record<AircraftAlert, { subject: (about: string) => string; sentence: string }> = {
  item_upcoming: { subject: (item) => `${item} is due soon`, sentence: "this maintenance is due soon." },
  item_overdue: { subject: (item) => `${item} is overdue`, sentence: "this maintenance is overdue." },
  work_order_opened: { subject: (title) => `work order opened: ${title}`, sentence: "this work order was opened." },
  aircraft_grounded: { subject: () => "the aircraft is grounded", sentence: "the aircraft is grounded." },
};

interface Sender {
  /** The organization's name. */
  school: string;
  /** The address of the installation: a recipient may use several. */
  publicUrl: string;
}

/** How to get no more such mails: for a member, and for somebody without an account. */
const feet: Record<Language, { member(by: Sender): string; other(by: Sender): string }> = {
  en: {
    member: ({ school, publicUrl }) =>
      `You get this mail as a member of ${school} at\n${publicUrl}\nYour notification preferences there can switch such mails off.`,
    other: ({ school }) =>
      `${school} sends you this mail because it keeps your records.\nIf you do not want such mails, tell the school.`,
  },
  de: {
    member: ({ school, publicUrl }) =>
      `Sie erhalten diese E-Mail als Mitglied von ${school} unter\n${publicUrl}\nIn den Benachrichtigungseinstellungen dort können Sie solche E-Mails abschalten.`,
    other: ({ school }) =>
      `${school} sendet Ihnen diese E-Mail, weil Ihre Daten dort geführt werden.\nWenn Sie solche E-Mails nicht wünschen, teilen Sie es der Flugschule mit.`,
  },
};

/** Returns the mail: the text, and who sends it and how to get no more such mails. */
export const mailOf = (
  { subject, text, calendar, language = "en" }: Text,
  { address, isMember }: Recipient,
  sender: Sender,
): Mail => ({
  to: address,
  subject,
  ...(calendar && { calendar }),
  text: `${text}

${feet[language][isMember ? "member" : "other"](sender)}
`,
});
