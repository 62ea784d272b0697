/** The mails about sessions: their text as it is when the mail is sent, and the part for calendars. */
import { and, eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { Id } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { MailRow } from "../../mails/mails.queries.ts";
import type { SessionAlert } from "../../mails/queue-mails.ts";
import { invitationOf, type Method, summaryOf } from "../../planning/calendars/ics.ts";
import { type PlanningSessionId, planningSessions, planningWishes } from "../../planning/planning.tables.ts";
import { sessionEntity } from "../../planning/sessions/sessions.queries.ts";
import type { Session } from "../../planning/sessions/sessions.shapes.ts";
import { dateText, type Text } from "./mail-texts.ts";

interface Between {
  /** The organization's name. */
  name: string;
  from: string;
  to: string;
}

type Row = Pick<MailRow, "alert" | "subject_id" | "person_id" | "session_ids" | "former_start_at" | "former_end_at">;

/** Returns the text; undefined if it is not so any more. */
export async function planningText(reader: Reader<"tenant">, row: Row, between: Between): Promise<Text | undefined> {
  const timeZone = await timeZoneOf(reader);
  if (row.alert === "time_free") return freeText(reader, row.subject_id as Id<"wish">, timeZone);
  const alert = row.alert as SessionAlert;
  const words = said[alert];
  const sessions: Session[] = [];
  for (const id of row.session_ids ?? [row.subject_id]) {
    const session = await toldSession(reader, id as PlanningSessionId, row);
    if (session) sessions.push(session);
  }
  const [first, ...more] = sessions;
  if (first === undefined) return undefined;
  if (more.length > 0) return severalText(sessions, words, { timeZone, between });
  const isOver = alert === "session_cancelled" || alert === "session_left";
  const when = whenText(first, timeZone);
  const note = alert === "session_cancelled" && first.cancellation?.note ? `\nReason: ${first.cancellation.note}` : "";
  return {
    subject: `${words.one}: ${when}`,
    text: `${words.one}:\n\n${summaryOf(first)}\n${when}${note}`,
    calendar: invitation(sessions, isOver ? "CANCEL" : "REQUEST", between),
  };
}

/** Returns the session as it is; with its former time and without names for a person who takes part no longer. */
async function toldSession(
  reader: Reader<"tenant">,
  id: PlanningSessionId,
  { alert, person_id, former_start_at, former_end_at }: Row,
): Promise<Session | undefined> {
  if ((await reader.$count(planningSessions, eq(planningSessions.id, id))) === 0) return undefined;
  const { value: session } = await sessionEntity.read(reader, id);
  const takesPart = session.resources.some((one) => one.id === (person_id as string | null));
  if (alert === "session_left") {
    if (takesPart || former_start_at === null || former_end_at === null) return undefined;
    return { ...session, title: null, resources: [], start_at: former_start_at, end_at: former_end_at };
  }
  const isOpen = session.status === "planned" || session.status === "requested";
  return takesPart && isOpen !== (alert === "session_cancelled") ? session : undefined;
}

const said: Record<SessionAlert, { one: string; several: string }> = {
  session_requested: { one: "Session requested", several: "Sessions requested" },
  session_booked: { one: "Session booked", several: "Sessions booked" },
  session_moved: { one: "Session changed", several: "Sessions changed" },
  session_cancelled: { one: "Session cancelled", several: "Sessions cancelled" },
  session_left: { one: "You no longer take part", several: "You no longer take part" },
};

function severalText(
  sessions: readonly Session[],
  { several }: { several: string },
  { timeZone, between }: { timeZone: string; between: Between },
): Text {
  const lines = sessions.map((session) => `- ${whenText(session, timeZone)}: ${summaryOf(session)}`);
  const [first] = sessions.map((session) => whenText(session, timeZone));
  return {
    subject: `${several}: ${sessions.length}, the first on ${first}`,
    text: `${several}:\n\n${lines.join("\n")}`,
    calendar: invitation(sessions, "PUBLISH", between),
  };
}

function invitation(
  sessions: readonly Session[],
  method: Method,
  { name, from, to }: Between,
): NonNullable<Text["calendar"]> {
  const email = /<([^>]+)>/.exec(from)?.[1] ?? from;
  return { method, content: invitationOf(sessions, { method, organizer: { name, email }, attendee: to }) };
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
