/** Reads how many deliveries are outstanding, of one organization and of all. */
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { countInPieces } from "../storage/count-in-pieces.ts";
import type { Reader, Tenant } from "../storage/store.ts";
import { deliveries, isDelivering, isPending, webhookEndpoints } from "./events.tables.ts";

/** The outstanding deliveries of one organization. */
export interface Backlog {
  /** Deliveries that are pending, claimed or in flight. */
  deliveries: number;
  /** The earliest due time, past or future; null without deliveries. */
  oldestDue: Instant | null;
  /** Endpoints whose last attempt failed, or that were disabled for that. */
  failingEndpoints: number;
}

/** Returns one organization's backlog. It is read from two partial indexes, and from its few endpoints. */
export async function backlogOf(reader: Reader<"tenant">): Promise<Backlog> {
  const [row] = await reader.values<[number, Instant | null, Instant | null, number]>(sql`
    select count(*), min(${deliveries.due_at}),
      (select min(${deliveries.due_at}) from ${deliveries} where ${isPending}),
      (select count(*) from ${webhookEndpoints} where ${isFailing})
    from ${deliveries} where ${isDelivering}`);
  const [delivering, first, pending, failingEndpoints] = row ?? [0, null, null, 0];
  const oldestDue = [first, pending].filter((at) => at !== null).sort()[0] ?? null;
  return { deliveries: delivering + (await countPending(reader)), oldestDue, failingEndpoints };
}

/** An endpoint that was disabled by hand is no longer tried. */
const isFailing = sql`${webhookEndpoints.deleted_at} is null and ${webhookEndpoints.failing_since} is not null
  and ${webhookEndpoints.disabled_reason} is not 'by_hand'`;

const countPending = (reader: Reader<"tenant">): Promise<number> => {
  const [due, row] = [sql.placeholder("due"), sql.placeholder("row")];
  const all = sql`from ${deliveries} where ${isPending}`;
  return countInPieces(reader, {
    keys: [
      ["due", deliveries.due_at],
      ["row", sql`rowid`],
    ],
    sorted: sql`${deliveries.due_at}, rowid`,
    all,
    rest: sql`${all} and (${deliveries.due_at}, rowid) > (${due}, ${row})`,
    values: {},
  });
};

export interface OrganizationBacklog {
  orgId: OrgId;
  deliveries: number;
  failingEndpoints: number;
  /** Seconds since the oldest delivery became due; 0 when none was due yet. */
  lag: number;
  /** When it was read. */
  readAt: Instant;
}

export interface Backlogs {
  /** Reads each organization's backlog, unless that was done just now or is still running. */
  refresh(): Promise<void>;
  /** What was last read of the organizations that have outstanding deliveries, as far as any could be read. */
  known(): OrganizationBacklog[];
}

interface BacklogsOptions {
  clock: Clock;
  tenant: (orgId: OrgId) => Tenant;
  /** Organizations with deliveries that are due or scheduled. */
  organizations: (limit: number) => OrgId[];
  /** Called for an organization whose records can't be read. */
  onUnreadable: (orgId: OrgId, err: unknown) => void;
}

/** Organizations read for one result. */
const maxOrganizations = 1000;

/** Organizations read at the same time: one whose file is being checked or migrated waits for that, for some seconds. */
const maxConcurrent = 4;

/** How long a result is kept, so that two collectors do not read everything twice. */
const maxAge = seconds(10);

/**
 * Keeps the backlog of each organization. It skips idle organizations: it reads only those that the dispatcher has
 * scheduled, few at a time, so that requests are served in between. One that can't be read now keeps its earlier value.
 */
export function createBacklogs({ clock, tenant, organizations, onUnreadable }: BacklogsOptions): Backlogs {
  const kept = new Map<OrgId, OrganizationBacklog>();
  let round: Promise<void> | undefined;
  let startedAt: number | undefined;

  const readOne = async (orgId: OrgId): Promise<void> => {
    try {
      const { oldestDue, ...counts } = await tenant(orgId).read(backlogOf);
      const readAt = toInstant(clock.now());
      if (counts.deliveries > 0 && oldestDue !== null)
        kept.set(orgId, { orgId, ...counts, lag: lagOf(oldestDue, readAt), readAt });
      else kept.delete(orgId);
    } catch (err) {
      onUnreadable(orgId, err);
    }
  };

  const readAll = async (): Promise<void> => {
    const present = new Set(organizations(maxOrganizations));
    for (const orgId of kept.keys()) if (!present.has(orgId)) kept.delete(orgId);
    const waiting = present.values();
    const readWaiting = async () => {
      for (const orgId of waiting) {
        await readOne(orgId);
        await yieldToEventLoop();
      }
    };
    await Promise.all(Array.from({ length: maxConcurrent }, readWaiting));
  };

  return {
    refresh() {
      const now = clock.now().getTime();
      if (round === undefined && (startedAt === undefined || Math.abs(now - startedAt) >= maxAge)) {
        startedAt = now;
        round = readAll().finally(() => {
          round = undefined;
        });
      }
      return round ?? Promise.resolve();
    },
    known: () => [...kept.values()],
  };
}

const lagOf = (due: Instant, now: Instant): number => Math.max(0, (Date.parse(now) - Date.parse(due)) / 1000);
