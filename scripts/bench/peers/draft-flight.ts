/** Drafts a flight: validated, written with its crew and a chained audit row in one synced transaction, and read back. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Databases } from "./databases.ts";
import { flightJson } from "./flight-json.ts";
import type { Member } from "./sessions.ts";

const id = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .nullable()
  .default(null);
const place = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{3}$/)
  .nullable()
  .default(null);
const count = z.int().min(0).max(200).default(0);
const minutes = z.int().min(0).max(1440).default(0);
const reading = z
  .string()
  .regex(/^(0|[1-9]\d{0,6})\.\d{2}$/)
  .transform((text) => Number(text.replace(".", "")))
  .nullable()
  .default(null);
const text = (max: number) => z.string().trim().min(1).max(max).nullable().default(null);
const functions = ["pic", "solo", "spic", "picus", "co_pilot", "dual", "instructor"] as const;

const Draft = z.strictObject({
  aircraft_id: id,
  off_block_at: instant,
  take_off_at: instant,
  landing_at: instant,
  on_block_at: instant,
  departure: place,
  arrival: place,
  day_landings: count,
  night_landings: count,
  night_minutes: minutes,
  ifr_minutes: minutes,
  hobbs_start: reading,
  hobbs_end: reading,
  tacho_start: reading,
  tacho_end: reading,
  lesson: text(200),
  remarks: text(2000),
  crew: z
    .array(z.strictObject({ person_id: id, function: z.enum(functions) }))
    .max(10)
    .refine((crew) => new Set(crew.map(({ person_id }) => person_id)).size === crew.length)
    .default([]),
});
type Draft = z.infer<typeof Draft>;

const submits = new Set(["owner", "admin", "instructor", "student"]);

/** Whether times run forwards, and no part is greater than the whole. */
function isPossible(flight: Draft): boolean {
  const { off_block_at: off, on_block_at: on, hobbs_start, hobbs_end, tacho_start, tacho_end } = flight;
  const times = [off, flight.take_off_at, flight.landing_at, on].filter((at) => at !== null);
  if (times.some((at, index) => index > 0 && at < (times[index - 1] ?? at))) return false;
  if (off !== null && on !== null) {
    const block = Math.trunc((Date.parse(on) - Date.parse(off)) / 60_000);
    if (block < 1 || block > 1440 || flight.night_minutes > block || flight.ifr_minutes > block) return false;
  }
  const runsBackwards = (start: number | null, end: number | null) => start !== null && end !== null && end < start;
  return !runsBackwards(hobbs_start, hobbs_end) && !runsBackwards(tacho_start, tacho_end);
}

const hash = (parts: readonly unknown[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** A UUIDv7. */
function newId(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const figures = [
  "aircraft_id",
  "off_block_at",
  "take_off_at",
  "landing_at",
  "on_block_at",
  "departure",
  "arrival",
  "day_landings",
  "night_landings",
  "night_minutes",
  "ifr_minutes",
  "hobbs_start",
  "hobbs_end",
  "tacho_start",
  "tacho_end",
  "lesson",
  "remarks",
] as const;

export function createDrafting({ tenant }: Databases) {
  const aircraftStatus = tenant.prepare<{ status: string }, [string]>("select status from aircraft where id = ?");
  const person = tenant.prepare<{ id: string }, [string]>("select id from people where id = ?");
  const insertFlight = tenant.prepare<unknown, (string | number | null)[]>(`
    insert into flights (id, status, revision, warnings, ${figures.join(", ")}, created_by, created_at, updated_at)
    values (?, 'draft', 1, '[]', ${figures.map(() => "?").join(", ")}, ?, ?, ?)`);
  const insertCrew = tenant.prepare<unknown, [string, number, string, string]>(
    "insert into flight_crew (flight_id, position, person_id, function) values (?, ?, ?, ?)",
  );
  const readBack = tenant.prepare<{ flight: string }, [string]>(
    `select ${flightJson} as flight from flights f join aircraft a on a.id = f.aircraft_id where f.id = ?`,
  );
  const lastAudit = tenant.prepare<{ seq: number; hash: string }, []>(
    "select seq, hash from audit_log order by seq desc limit 1",
  );
  const insertAudit = tenant.prepare<unknown, (string | number | null)[]>(`
    insert into audit_log (seq, at, actor_kind, actor_id, action, subject_kind, subject_id, org_id, request_id, payload, salt,
      digest, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  function audit(member: Member, at: string, flightId: string, flight: string, requestId: string): void {
    const last = lastAudit.get() ?? { seq: 0, hash: "" };
    const payload = `{"by":${JSON.stringify(member.name)},"after":${flight}}`;
    const salt = randomBytes(16).toString("hex");
    const row = [
      last.seq + 1,
      at,
      "user",
      member.userId,
      "flight.drafted",
      "flight",
      flightId,
      null,
      requestId,
    ] as const;
    const digest = hash([salt, payload]);
    insertAudit.run(...row, payload, salt, digest, hash([last.hash, ...row, salt, digest]));
  }

  const write = tenant.transaction((member: Member, flight: Draft, requestId: string): string | 400 | 409 => {
    if (flight.crew.some(({ person_id }) => person.get(person_id) === null)) return 400;
    const aircraft = aircraftStatus.get(flight.aircraft_id);
    if (aircraft === null) return 400;
    if (aircraft.status === "archived") return 409;
    const now = Date.now();
    const at = new Date(now).toISOString();
    const flightId = newId(now);
    insertFlight.run(flightId, ...figures.map((name) => flight[name]), member.userId, at, at);
    for (const [position, one] of flight.crew.entries())
      insertCrew.run(flightId, position, one.person_id, one.function);
    const row = readBack.get(flightId);
    if (row === null) throw new Error("The flight is not there.");
    audit(member, at, flightId, row.flight, requestId);
    return `{"data":${row.flight}}`;
  });

  /** The body to answer with, or the status to refuse with. */
  return (member: Member, body: unknown, requestId: string): string | 400 | 403 | 409 => {
    if (!member.roles.some((role) => submits.has(role))) return 403;
    const draft = Draft.safeParse(body);
    if (!draft.success || !isPossible(draft.data)) return 400;
    return write.immediate(member, draft.data, requestId);
  };
}
