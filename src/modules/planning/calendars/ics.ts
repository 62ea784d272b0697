/** Sessions as iCalendar (RFC 5545). Times are in UTC, so no client needs a definition of a time zone. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { Session } from "../sessions/sessions.shapes.ts";

type Shown = Pick<
  Session,
  "id" | "kind" | "status" | "start_at" | "end_at" | "title" | "resources" | "sequence" | "updated_at"
>;

interface Invitation {
  method: "REQUEST" | "CANCEL";
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

const END = "END:VCALENDAR";

/** Returns a calendar without its events, in two parts. */
export function emptyCalendar(name: string): [begin: string, end: string] {
  const text = ical({ name, prodId: { company: "Windsock", product: "planning" } }).toString();
  return [text.slice(0, text.lastIndexOf(END)), END];
}

/** Returns the lines of an event. Its UID and SEQUENCE are the session's, so a client recognizes changes. */
export function eventLines(session: Shown, invitation?: Invitation): string {
  const calendar = ical();
  const event = calendar.createEvent({
    id: `${session.id}@windsock`,
    sequence: session.sequence,
    stamp: new Date(session.updated_at),
    lastModified: new Date(session.updated_at),
    start: new Date(session.start_at),
    end: new Date(session.end_at),
    summary: summaryOf(session),
    status: invitation?.method === "CANCEL" ? ICalEventStatus.CANCELLED : statuses[session.status],
    ...(room(session) && { location: room(session) ?? null }),
  });
  if (invitation) {
    event.organizer(invitation.organizer);
    event.createAttendee({ email: invitation.attendee, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false });
  }
  const text = calendar.toString();
  return text.slice(text.indexOf("BEGIN:VEVENT"), text.lastIndexOf(END));
}

/** Returns the part of a mail that a calendar takes as an update (RFC 6047). */
export function invitationOf(session: Shown, invitation: Invitation): string {
  const calendar = ical({ prodId: { company: "Windsock", product: "planning" } });
  calendar.method(invitation.method === "CANCEL" ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST);
  const text = calendar.toString();
  return `${text.slice(0, text.lastIndexOf(END))}${eventLines(session, invitation)}${END}`;
}

const names = ({ resources }: Pick<Shown, "resources">, ...types: readonly string[]) =>
  resources.filter(({ type }) => types.includes(type)).map(({ name }) => name);

const room = (session: Shown) => names(session, "room")[0];

const kinds: Record<Shown["kind"], string> = {
  flight: "Flight",
  lesson: "Lesson",
  maintenance: "Maintenance",
  ground: "Ground",
  other: "Other",
};

/** `Circuits: D-EABC, Ines Instructor, Sam Student` */
export function summaryOf(session: Pick<Shown, "title" | "kind" | "resources">): string {
  const taking = names(session, "aircraft", "instructor", "student");
  return [session.title ?? kinds[session.kind], taking.join(", ")].filter(Boolean).join(": ");
}
