/** The texts of the mails. A mail to a person has no data of other people; one about a medical has class and date only. */
import { longDateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Mail } from "../../../mail/mailer.ts";
import { typeNameIn } from "../../compliance/built-in-types.ts";
import type { Revalidation } from "../../revalidation/assess.ts";
import type { AlertedAircraft, ExpiringRecord } from "./mail-subjects.queries.ts";
import type { Recipient } from "./recipients.queries.ts";
import { textsOf } from "./texts/texts.ts";

export interface Text extends Pick<Mail, "subject" | "text" | "calendar"> {
  /** By default that of the recipient. */
  language?: Language;
}

/** @param owner the name of the person whose record it is; undefined in the mail to the person */
export function recordText(record: ExpiringRecord, owner: string | undefined, language: Language): Text {
  const { type, type_name, level, days_left, valid_until } = record;
  const texts = textsOf(language);
  const what =
    type === "medical"
      ? texts.medical(level)
      : texts.record(typeNameIn(language, { key: type, name: type_name }), level);
  return texts.expiry({ what, owner, date: longDateIn(language, valid_until), daysLeft: days_left });
}

/** @param owner as of `recordText` */
export function revalidationText(
  { kind, until, missing, how_many, obligatory, source }: Revalidation,
  owner: string | undefined,
  language: Language,
): Text | undefined {
  if (until === null) return undefined;
  const texts = textsOf(language).revalidation;
  const lines = missing.map(({ what, amount }) => {
    const said = texts.lacks[what](what.endsWith("_minutes") ? formDuration(amount) : String(amount), amount);
    return how_many < missing.length && obligatory.includes(what) ? texts.obligatory(said) : said;
  });
  const date = longDateIn(language, Temporal.PlainDate.from(until));
  const some = how_many < missing.length ? how_many : undefined;
  return texts[kind]({
    owner,
    date,
    article: source.article,
    lines: lines.map((line) => `- ${line}`).join("\n"),
    some,
  });
}

/** Hours and minutes. */
const formDuration = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;

export function aircraftText({ alert, registration, model, about }: AlertedAircraft, language: Language): Text {
  const { subject, sentence } = textsOf(language).aircraft[alert];
  return {
    subject: `${registration}: ${subject(about.join(", "))}`,
    text: `${registration} (${model}): ${sentence}\n\n${about.map((line) => `- ${line}`).join("\n")}`,
  };
}

interface Sender {
  /** The organization's name. */
  school: string;
  /** The address of the installation: a recipient may use several. */
  publicUrl: string;
}

/** Returns the mail: the text, and who sends it and how to get no more such mails. */
export function mailOf({ subject, text, calendar, language }: Text, recipient: Recipient, sender: Sender): Mail {
  const foot = textsOf(language ?? recipient.language).feet[recipient.isMember ? "member" : "other"](sender);
  return { to: recipient.address, subject, ...(calendar && { calendar }), text: `${text}\n\n${foot}\n` };
}
