/** The mails about sessions: their text as it is when the mail is sent, and the part for calendars. */
import { and, eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { longDateIn } from "../../../core/forms.ts";
import type { Id } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { MailRow } from "../../mails/mails.queries.ts";
import type { SessionAlert } from "../../mails/queue-mails.ts";
import { invitationOf, type Method, summaryOf } from "../../planning/calendars/ics.ts";
import { type PlanningSessionId, planningSessions, planningWishes } from "../../planning/planning.tables.ts";
import { sessionEntity } from "../../planning/sessions/sessions.queries.ts";
import type { Session } from "../../planning/sessions/sessions.shapes.ts";
import { settingsOf } from "../../planning/settings/settings.ts";
import type { Text } from "./mail-texts.ts";
import { textsOf } from "./texts/texts.ts";

interface Between {
  /** The organization's name. */
  name: string;
  from: string;
  to: string;
}

interface Told {
  language: Language;
  timeZone: string;
  between: Between;
}

type Row = Pick<MailRow, "alert" | "subject_id" | "person_id" | "session_ids" | "former_start_at" | "former_end_at">;

/** Returns the text; undefined if it is not so any more. */
export async function planningText(
  reader: Reader<"tenant">,
  row: Row,
  { language, between }: Omit<Told, "timeZone">,
): Promise<Text | undefined> {
  const told = { language, between, timeZone: await timeZoneOf(reader) };
  if (row.alert === "time_free") return freeText(reader, row.subject_id as Id<"wish">, told);
  const alert = row.alert as SessionAlert;
  const texts = textsOf(language);
  const words = texts.sessions[alert];
  const sessions: Session[] = [];
  for (const id of row.session_ids ?? [row.subject_id]) {
    const session = await toldSession(reader, id as PlanningSessionId, row);
    if (session) sessions.push(session);
  }
  const [first, ...more] = sessions;
  if (first === undefined) return undefined;
  if (more.length > 0) return severalText(sessions, words, told);
  const isOver = alert === "session_cancelled" || alert === "session_left";
  const when = whenText(first, told);
  const note =
    alert === "session_cancelled" && first.cancellation?.note ? `\n${texts.reason(first.cancellation.note)}` : "";
  return {
    subject: `${words.one}: ${when}`,
    text: `${words.one}:\n\n${summaryOf(first, language)}\n${when}${note}`,
    calendar: invitation(sessions, isOver ? "CANCEL" : "REQUEST", told),
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

function severalText(sessions: readonly Session[], { several }: { several: string }, told: Told): Text {
  const texts = textsOf(told.language);
  const lines = sessions.map((session) => `- ${whenText(session, told)}: ${summaryOf(session, told.language)}`);
  const [first = ""] = sessions.map((session) => whenText(session, told));
  return {
    subject: texts.severalFrom(several, sessions.length, first),
    text: `${several}:\n\n${lines.join("\n")}`,
    calendar: invitation(sessions, "PUBLISH", told),
  };
}

function invitation(
  sessions: readonly Session[],
  method: Method,
  { language, between: { name, from, to } }: Told,
): NonNullable<Text["calendar"]> {
  const email = /<([^>]+)>/.exec(from)?.[1] ?? from;
  return { method, content: invitationOf(sessions, language, { method, organizer: { name, email }, attendee: to }) };
}

async function freeText(reader: Reader<"tenant">, id: Id<"wish">, told: Told): Promise<Text | undefined> {
  const [wish] = await reader
    .select()
    .from(planningWishes)
    .where(and(eq(planningWishes.id, id), eq(planningWishes.status, "offered")));
  const { offered_start_at: start_at, offered_end_at: end_at, offered_until } = wish ?? {};
  if (!start_at || !end_at || !offered_until) return undefined;
  const when = whenText({ start_at, end_at }, told);
  const until = whenText({ start_at: offered_until, end_at: offered_until }, told);
  const { students_book } = await settingsOf(reader);
  return textsOf(told.language).free(when, until, students_book);
}

/** `15 June 2099, 10:30 to 12:00 (Europe/Berlin)` */
function whenText(
  { start_at, end_at }: { start_at: Instant; end_at: Instant },
  { language, timeZone }: Pick<Told, "language" | "timeZone">,
): string {
  const dateText = (at: Temporal.ZonedDateTime) => longDateIn(language, at.toPlainDate());
  const [start, end] = [start_at, end_at].map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(timeZone)) as [
    Temporal.ZonedDateTime,
    Temporal.ZonedDateTime,
  ];
  const time = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: "minute" });
  const isOneDay = start.toPlainDate().equals(end.toPlainDate());
  const until =
    start_at === end_at ? "" : ` ${textsOf(language).to} ${isOneDay ? "" : `${dateText(end)}, `}${time(end)}`;
  return `${dateText(start)}, ${time(start)}${until} (${timeZone})`;
}
