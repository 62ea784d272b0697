/** Sessions as iCalendar (RFC 5545). Times are in UTC, so no client needs a definition of a time zone. */
import ical, { escape as escaped, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { Language } from "../../../core/languages.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { kindNames } from "./kinds.ts";

type Shown = Pick<
  Session,
  "id" | "kind" | "status" | "start_at" | "end_at" | "title" | "resources" | "sequence" | "updated_at"
>;

/** An invitation has one UID (RFC 5546, 3.2.2): several sessions are published. */
export type Method = "REQUEST" | "CANCEL" | "PUBLISH";

interface Invitation {
  method: Method;
  /** Who sends it, and to whom. */
  organizer: { name: string; email: string };
  attendee: string;
}

const statuses: Record<Shown["status"], ICalEventStatus> = {
  requested: ICalEventStatus.TENTATIVE,
  planned: ICalEventStatus.CONFIRMED,
  checked_in: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
  no_show: ICalEventStatus.CANCELLED,
};

const methods = {
  REQUEST: ICalCalendarMethod.REQUEST,
  CANCEL: ICalCalendarMethod.CANCEL,
  PUBLISH: ICalCalendarMethod.PUBLISH,
};

const END = "END:VCALENDAR";
const prodId = { company: "Windsock", product: "planning" };

/** Returns a calendar without its events, in two parts. */
export function emptyCalendar(name: string): [begin: string, end: string] {
  // ical-generator writes the name as it is.
  const text = ical({ name: escaped(name, false), prodId }).toString();
  return [text.slice(0, text.lastIndexOf(END)), `${END}\r\n`];
}

/** Returns the lines of an event. Its UID and SEQUENCE are the session's, so a client recognizes changes. */
export function eventLines(session: Shown, language: Language, invitation?: Invitation): string {
  const calendar = ical();
  const event = calendar.createEvent({
    id: `${session.id}@windsock`,
    sequence: session.sequence,
    stamp: new Date(session.updated_at),
    lastModified: new Date(session.updated_at),
    start: new Date(session.start_at),
    end: new Date(session.end_at),
    summary: summaryOf(session, language),
    status: invitation?.method === "CANCEL" ? ICalEventStatus.CANCELLED : statuses[session.status],
    ...(room(session) && { location: room(session) ?? null }),
  });
  if (invitation) {
    event.organizer(invitation.organizer);
    if (invitation.method !== "PUBLISH")
      event.createAttendee({ email: invitation.attendee, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false });
  }
  const text = calendar.toString();
  return text.slice(text.indexOf("BEGIN:VEVENT"), text.lastIndexOf(END));
}

/** Returns the part of a mail that a calendar takes as an update (RFC 6047). */
export function invitationOf(sessions: readonly Shown[], language: Language, invitation: Invitation): string {
  const text = ical({ prodId, method: methods[invitation.method] }).toString();
  const events = sessions.map((session) => eventLines(session, language, invitation));
  return [text.slice(0, text.lastIndexOf(END)), ...events, `${END}\r\n`].join("");
}

const names = ({ resources }: Pick<Shown, "resources">, ...types: readonly string[]) =>
  resources.filter(({ type }) => types.includes(type)).map(({ name }) => name);

const room = (session: Shown) => names(session, "room")[0];

/** `Circuits: D-EABC, Ines Instructor, Sam Student` */
export function summaryOf(session: Pick<Shown, "title" | "kind" | "resources">, language: Language): string {
  const taking = names(session, "aircraft", "instructor", "student");
  return [session.title ?? kindNames[language][session.kind], taking.join(", ")].filter(Boolean).join(": ");
}
