import type { AircraftAlert } from "../../../mails/mails.values.ts";
import type { SessionAlert } from "../../../mails/queue-mails.ts";
import type { Lack, RevalidationKind } from "../../../revalidation/assess.ts";

/** A record that expires or has expired. */
export interface Expiry {
  /** What `medical` or `record` returned. */
  what: string;
  /** The name of the person whose record it is; undefined in the mail to the person. */
  owner: string | undefined;
  date: string;
  /** Negative if it has expired. */
  daysLeft: number;
}

export interface MailText {
  subject: string;
  text: string;
}

export interface Missing {
  /** Whose it is; undefined in the mail to the person. */
  owner: string | undefined;
  date: string;
  article: string;
  lines: string;
  /** If not all of the lines are needed: how many. */
  some: number | undefined;
}

interface Sender {
  /** The organization's name. */
  school: string;
  /** The address of the installation: a recipient may use several. */
  publicUrl: string;
}

export interface Texts {
  /** @param level `class_1`, `class_2` or `lapl` */
  medical(level: string | null): string;
  record(typeName: string, level: string | null): string;
  expiry(expiry: Expiry): MailText;
  aircraft: Record<AircraftAlert, { subject: (about: string) => string; sentence: string }>;
  sessions: Record<SessionAlert, { one: string; several: string }>;
  /** What is missing for a revalidation, and the mail about each kind. */
  revalidation: Record<RevalidationKind, (missing: Missing) => MailText> & {
    /** @param text the time or the number */
    lacks: Record<Lack, (text: string, amount: number) => string>;
    obligatory(what: string): string;
  };
  reason(note: string): string;
  /** Of the subject of a mail about several sessions. */
  severalFrom(what: string, count: number, first: string): string;
  to: string;
  free(when: string, until: string, studentsBook: boolean): MailText;
  /** How to get no more such mails: for a member, and for a person without an account. */
  feet: { member(by: Sender): string; other(by: Sender): string };
}

const inDays = (days: number) => (days === 0 ? "today" : `in ${days} ${days === 1 ? "day" : "days"}`);

const rating =
  (name: string) =>
  ({ owner, date, article, lines }: Missing): MailText => ({
    subject: `${owner === undefined ? "Your" : `${owner}:`} ${name}: what is missing until ${date}`,
    text: `${owner === undefined ? `Your ${name}` : `The ${name} of ${owner}`} is valid until ${date}. To revalidate it by experience (${article}), this is still missing by then:\n\n${lines}\n\nOtherwise a proficiency check with an examiner is needed, in the last three months before that day.`,
  });

export const en: Texts = {
  medical: (level) => `medical certificate (${level === "lapl" ? "LAPL" : level?.replace("_", " ")})`,
  record: (typeName, level) => `record "${typeName}"${level === null ? "" : ` (${level})`}`,
  expiry({ what, owner, date, daysLeft }) {
    const when = `${daysLeft < 0 ? "expired" : "expires"} on ${date}`;
    const left = daysLeft < 0 ? "" : `, ${inDays(daysLeft)}`;
    return owner === undefined
      ? { subject: `Your ${what} ${when}`, text: `Your ${what} ${when}${left}.` }
      : { subject: `${owner}: ${what} ${when}`, text: `The ${what} of ${owner} ${when}${left}.` };
  },
  aircraft: {
    item_upcoming: { subject: (item) => `${item} is due soon`, sentence: "this maintenance is due soon." },
    item_overdue: { subject: (item) => `${item} is overdue`, sentence: "this maintenance is overdue." },
    work_order_opened: { subject: (title) => `work order opened: ${title}`, sentence: "this work order was opened." },
    aircraft_grounded: { subject: () => "the aircraft is grounded", sentence: "the aircraft is grounded." },
  },
  sessions: {
    session_requested: { one: "Session requested", several: "Sessions requested" },
    session_booked: { one: "Session booked", several: "Sessions booked" },
    session_moved: { one: "Session changed", several: "Sessions changed" },
    session_cancelled: { one: "Session cancelled", several: "Sessions cancelled" },
    session_left: { one: "You no longer take part", several: "You no longer take part" },
  },
  revalidation: {
    sep: rating("class rating SEP"),
    tmg: rating("class rating TMG"),
    fi: ({ owner, date, article, lines, some }) => ({
      subject: `${owner === undefined ? "Your" : `${owner}:`} flight instructor certificate: what is missing until ${date}`,
      text: `${owner === undefined ? "Your flight instructor certificate" : `The flight instructor certificate of ${owner}`} is valid until ${date}. To revalidate it (${article}), ${some === undefined ? "this is" : some === 1 ? "one of these is" : `${some} of these are`} still missing by then:\n\n${lines}`,
    }),
    lapl_a: ({ owner, date, article, lines }) => ({
      subject: `${owner === undefined ? "Your LAPL(A)" : `${owner}: LAPL(A)`}: recent experience until ${date}`,
      text: `${owner === undefined ? "You have" : `${owner} has`} the recent experience for the LAPL(A) (${article}) until ${date}. To fly on without a break, this has to be flown by then:\n\n${lines}\n\nA proficiency check with an examiner does as well. After that day, what is missing is flown with an instructor, or solo under supervision.`,
    }),
    lacks: {
      flight_minutes: (time) => `${time} h of flight time`,
      pic_minutes: (time) => `${time} h of it as PIC`,
      landings: (_, count) => (count === 1 ? "1 take-off and landing" : `${count} take-offs and landings`),
      refresher_minutes: (time) => `${time} h of refresher training with an instructor`,
      pic_or_supervised_minutes: (time) => `${time} h as PIC, or dual or solo under supervision`,
      instructor_minutes: (time) => `${time} h of refresher training with an instructor`,
      instruction_minutes: (time) => `${time} h of flight instruction`,
      refresher_training: () => "an instructor refresher training",
      assessment_of_competence: () => "an assessment of competence, in the last twelve months before that day",
    },
    obligatory: (what) => `${what} (required this time)`,
  },
  reason: (note) => `Reason: ${note}`,
  severalFrom: (what, count, first) => `${what}: ${count}, the first on ${first}`,
  to: "to",
  free: (when, until, studentsBook) => ({
    subject: `Free: ${when}`,
    text: `A time that you wait for became free:\n\n${when}\n\nIt is not reserved: ${studentsBook ? "book it" : "ask the school to book it"}. From ${until} on it is offered to the next who waits.`,
  }),
  feet: {
    member: ({ school, publicUrl }) =>
      `You get this mail as a member of ${school} at\n${publicUrl}\nYour notification preferences there can switch such mails off.`,
    other: ({ school }) =>
      `${school} sends you this mail because it keeps your records.\nIf you do not want such mails, tell the school.`,
  },
};
