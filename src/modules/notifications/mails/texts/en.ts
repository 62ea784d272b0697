import type { AircraftAlert } from "../../../mails/mails.values.ts";
import type { SessionAlert } from "../../../mails/queue-mails.ts";

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
  reason(note: string): string;
  /** Of the subject of a mail about several sessions. */
  severalFrom(what: string, count: number, first: string): string;
  to: string;
  free(when: string, until: string): MailText;
  /** How to get no more such mails: for a member, and for a person without an account. */
  feet: { member(by: Sender): string; other(by: Sender): string };
}

const inDays = (days: number) => (days === 0 ? "today" : `in ${days} ${days === 1 ? "day" : "days"}`);

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
  reason: (note) => `Reason: ${note}`,
  severalFrom: (what, count, first) => `${what}: ${count}, the first on ${first}`,
  to: "to",
  free: (when, until) => ({
    subject: `Free: ${when}`,
    text: `A time that you wait for became free:\n\n${when}\n\nIt is not reserved: book it. From ${until} on it is offered to the next who waits.`,
  }),
  feet: {
    member: ({ school, publicUrl }) =>
      `You get this mail as a member of ${school} at\n${publicUrl}\nYour notification preferences there can switch such mails off.`,
    other: ({ school }) =>
      `${school} sends you this mail because it keeps your records.\nIf you do not want such mails, tell the school.`,
  },
};
