import type { z } from "zod";
import { authorize } from "../../core/actor.ts";
import { yieldToEventLoop } from "../../core/async.ts";
import { days, type Instant, minutes, shift, toInstant } from "../../core/clock.ts";
import { dateIn, type LegalDate, toLegalDate } from "../../core/dates.ts";
import { invalid } from "../../core/errors.ts";
import type { EnrollmentId, PersonId } from "../../core/ids.ts";
import type { Bytes } from "../../core/kept-body.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { PageRequest } from "../../storage/page.ts";
import type { Reader, Tenant } from "../../storage/store.ts";
import { timeZoneOf, today } from "../../storage/today.ts";
import { presenceOf, presentIn } from "../planning/rules/presence.ts";
import { progressOn } from "../training/progress/progress.queries.ts";
import {
  bookedIn,
  flownMinutes,
  lastFlown,
  listActiveEnrollments,
  listInstructors,
  listPlanes,
  nextSession,
  type Period,
} from "./reports.queries.ts";
import type { InstructorReport, ReportQuery, StudentReport, Utilization } from "./reports.schemas.ts";

type TenantReader = Reader<"tenant">;

/** Days without a flight after which a student is named. */
const idleDays = 21;

/** Makes a row of each of a page. Between two rows, requests run. */
async function rowsOf<Row>(
  tenant: Pick<Tenant, "read">,
  page: Bytes,
  make: (reader: TenantReader, row: Row) => Promise<object>,
): Promise<Bytes> {
  const body: { data: Row[]; page: object } = JSON.parse(page.toString());
  const data: object[] = [];
  for (const row of body.data) {
    data.push(await tenant.read((reader) => make(reader, row)));
    await yieldToEventLoop();
  }
  return Buffer.from(JSON.stringify({ ...body, data }));
}

const longest = 366;

/** Without `to`, up to now; without `from`, 30 days. @throws VALIDATION_ERROR it is too long */
function periodOf({ from, to }: Pick<ReportQuery, "from" | "to">, now: Instant): Period {
  const end = to ?? (from !== undefined && from > now ? shift(from, days(30)) : now);
  const start = from ?? shift(end, -days(30));
  if (Date.parse(end) - Date.parse(start) > days(longest))
    throw invalid({
      path: "from",
      code: "too_many_days",
      params: { max: longest },
      message: `A report covers at most ${longest} days.`,
    });
  return { from: start, to: end };
}

/** Returns how long a person is there in the period, or the school is open; null without weekly hours. */
async function presentMinutes(
  reader: TenantReader,
  id: PersonId | null,
  { from, to }: Period,
): Promise<{ present: number; isEntered: boolean }> {
  const timeZone = await timeZoneOf(reader);
  const presence = await presenceOf(reader, id, toLegalDate(dateIn(timeZone, new Date(from))));
  const open = await presentIn(presence, timeZone, { start_at: from, end_at: to });
  const length = open.reduce((sum, { start_at, end_at }) => sum + Date.parse(end_at) - Date.parse(start_at), 0);
  return { present: Math.round(length / minutes(1)), isEntered: presence.hours.length > 0 };
}

export async function utilization({ actor, tenant, clock }: InOrganization, query: ReportQuery): Promise<Bytes> {
  authorize(actor, "reports:read");
  const { from: _, to: __, ...page } = query;
  const period = periodOf(query, toInstant(clock.now()));
  const { present } = await tenant.read((reader) => presentMinutes(reader, null, period));
  type Row = Pick<z.infer<typeof Utilization>, "id" | "registration">;
  return rowsOf<Row>(tenant, await tenant.read((reader) => listPlanes(reader, page)), async (reader, row) => {
    const booked = await bookedIn(reader, { type: "aircraft", id: row.id }, period);
    return {
      ...row,
      bookable_minutes: present,
      ...booked,
      flown_minutes: await flownMinutes(reader, "aircraft", row.id, period),
      utilization_percent: present === 0 ? 0 : Math.round((100 * booked.booked_minutes) / present),
    } satisfies z.infer<typeof Utilization>;
  });
}

export async function instructors({ actor, tenant, clock }: InOrganization, query: ReportQuery): Promise<Bytes> {
  authorize(actor, "reports:read");
  const { from: _, to: __, ...page } = query;
  const period = periodOf(query, toInstant(clock.now()));
  type Row = Pick<z.infer<typeof InstructorReport>, "id" | "name">;
  return rowsOf<Row>(tenant, await tenant.read((reader) => listInstructors(reader, page)), async (reader, row) => {
    const { maintenance_minutes: _, ...booked } = await bookedIn(reader, { type: "instructor", id: row.id }, period);
    const { present, isEntered } = await presentMinutes(reader, row.id, period);
    return {
      ...row,
      available_minutes: isEntered ? present : null,
      ...booked,
      flown_minutes: await flownMinutes(reader, "instructor", row.id, period),
      idle_minutes: isEntered ? Math.max(0, present - booked.booked_minutes) : null,
    } satisfies z.infer<typeof InstructorReport>;
  });
}

export async function students({ actor, tenant, clock }: InOrganization, query: ReportQuery): Promise<Bytes> {
  authorize(actor, "reports:read");
  const { from: _, to: __, ...page } = query;
  const now = toInstant(clock.now());
  const period = periodOf(query, now);
  const list = await tenant.read((reader: TenantReader) => listActiveEnrollments(reader, page as PageRequest));
  type Row = { id: EnrollmentId; student_id: PersonId; started_on: LegalDate };
  return rowsOf<Row>(tenant, list, async (reader, { id, student_id, started_on }) => {
    const date = await today(reader, now);
    const { student, program, minima, ready_for_test } = await progressOn(reader, id, date);
    const total = minima.find(({ name }) => name === "total_minutes");
    const last_flown_at = await lastFlown(reader, student_id, now);
    const flownOn = last_flown_at === null ? null : dateIn(await timeZoneOf(reader), new Date(last_flown_at));
    const idle = (flownOn ?? Temporal.PlainDate.from(started_on)).until(date, { largestUnit: "days" }).days;
    const { maintenance_minutes: _, ...booked } = await bookedIn(reader, { type: "student", id: student_id }, period);
    return {
      id,
      student: { id: student.id, name: student.name },
      program: { id: program.id, name: program.name },
      ...booked,
      last_flown_at,
      days_since_flown: flownOn && idle,
      not_flown_for_21_days: idle >= idleDays,
      next_session_at: await nextSession(reader, student_id, now),
      required_minutes: total?.required ?? null,
      done_minutes: total?.done ?? null,
      missing_minutes: total?.missing ?? null,
      ready_for_test,
    } satisfies z.infer<typeof StudentReport>;
  });
}
