/** The mails about sessions: their text as it is when the mail is sent, and the part for calendars. */
import { and, eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { Id, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { invitationOf, summaryOf } from "../../planning/calendars/ics.ts";
import { type PlanningSessionId, planningSessions, planningWishes } from "../../planning/planning.tables.ts";
import { sessionEntity } from "../../planning/sessions/sessions.queries.ts";
import type { Session } from "../../planning/sessions/sessions.shapes.ts";
import { dateText, type Text } from "./mail-texts.ts";
import type { MailRow } from "./mails.queries.ts";
import type { SessionAlert } from "./queue-mails.ts";

interface Between {
  /** The organization's name. */
  name: string;
  from: string;
  to: string;
}

/** Returns the text; undefined if it is not so any more. */
export async function planningText(
  reader: Reader<"tenant">,
  { alert, subject_id, person_id }: Pick<MailRow, "alert" | "subject_id" | "person_id">,
  between: Between,
): Promise<Text | undefined> {
  const timeZone = await timeZoneOf(reader);
  if (alert === "time_free") return freeText(reader, subject_id as Id<"wish">, timeZone);
  const id = subject_id as PlanningSessionId;
  if ((await reader.$count(planningSessions, eq(planningSessions.id, id))) === 0) return undefined;
  const { value: session } = await sessionEntity.read(reader, id);
  const isOpen = session.status === "planned" || session.status === "requested";
  const takesPart = session.resources.some((one) => one.id === (person_id as PersonId | null));
  const isCancelled = alert === "session_cancelled";
  if (isCancelled ? isOpen && takesPart : !isOpen || !takesPart) return undefined;

  const words = said[alert as SessionAlert];
  const when = whenText(session, timeZone);
  const series = session.series_id === null ? "" : "\nIt belongs to a series. Your calendar feed has the others.";
  const note = isCancelled && session.cancellation?.note ? `\nReason: ${session.cancellation.note}` : "";
  return {
    subject: `${words}: ${when}`,
    text: `${words}:\n\n${summaryOf(session)}\n${when}${note}${series}`,
    calendar: invitation(session, isCancelled ? "CANCEL" : "REQUEST", between),
  };
}

const said: Record<SessionAlert, string> = {
  session_requested: "Session requested",
  session_booked: "Session booked",
  session_moved: "Session changed",
  session_cancelled: "Session cancelled",
};

function invitation(
  session: Session,
  method: "REQUEST" | "CANCEL",
  { name, from, to }: Between,
): NonNullable<Text["calendar"]> {
  const email = /<([^>]+)>/.exec(from)?.[1] ?? from;
  return { method, content: invitationOf(session, { method, organizer: { name, email }, attendee: to }) };
}

async function freeText(reader: Reader<"tenant">, id: Id<"wish">, timeZone: string): Promise<Text | undefined> {
  const [wish] = await reader
    .select()
    .from(planningWishes)
    .where(and(eq(planningWishes.id, id), eq(planningWishes.status, "offered")));
  const { offered_start_at: start_at, offered_end_at: end_at, offered_until } = wish ?? {};
  if (!start_at || !end_at || !offered_until) return undefined;
  const when = whenText({ start_at, end_at }, timeZone);
  const until = whenText({ start_at: offered_until, end_at: offered_until }, timeZone);
  return {
    subject: `Free: ${when}`,
    text: `A time that you wait for became free:\n\n${when}\n\nIt is not reserved: book it. From ${until} on it is offered to the next who waits.`,
  };
}

/** `15 June 2099, 10:30 to 12:00 (Europe/Berlin)` */
function whenText({ start_at, end_at }: { start_at: Instant; end_at: Instant }, timeZone: string): string {
  const [start, end] = [start_at, end_at].map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(timeZone)) as [
    Temporal.ZonedDateTime,
    Temporal.ZonedDateTime,
  ];
  const time = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: "minute" });
  const isOneDay = start.toPlainDate().equals(end.toPlainDate());
  const until = start_at === end_at ? "" : ` to ${isOneDay ? "" : `${dateText(end.toPlainDate())}, `}${time(end)}`;
  return `${dateText(start.toPlainDate())}, ${time(start)}${until} (${timeZone})`;
}
