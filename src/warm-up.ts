/** What the first request after a start would otherwise wait for: a school's file, the time zones, and code that has never run. */
import { yieldToEventLoop } from "./core/async.ts";
import { type Clock, toInstant } from "./core/clock.ts";
import { dateIn } from "./core/dates.ts";
import { newId } from "./core/ids.ts";
import { createAccessTokens } from "./http/access-token.ts";
import { newestFlight } from "./modules/flights/flights.queries.ts";
import { clearanceOf } from "./modules/flights/submission.ts";
import type { Storage } from "./storage/storage.ts";
import type { Reader } from "./storage/store.ts";
import { lastChanged } from "./storage/tenant-marks.ts";
import { timeZoneOf } from "./storage/today.ts";

interface WarmUpDeps {
  storage: Pick<Storage, "control" | "tenants" | "keys">;
  clock: Clock;
  publicUrl: string;
}

/**
 * Checks a token, and judges the newest flight of the school that changed last, as its approval does: both are read or made anew,
 * and nothing is stored. In pieces, between which requests are answered. Without a school, nothing is done.
 */
export async function warmUp({ storage: { control, tenants, keys }, clock, publicUrl }: WarmUpDeps): Promise<void> {
  const orgId = await lastChanged(control);
  if (orgId === undefined) return;
  const tokens = createAccessTokens({ key: keys.key("access-token"), issuer: publicUrl, clock });
  const someone = { userId: newId<"user">(clock), sessionId: newId<"session">(clock), orgId };
  const { token } = await tokens.issue({ ...someone, amr: ["pwd"], authTime: toInstant(clock.now()) });
  await tokens.verify(token);
  await yieldToEventLoop();
  const tenant = tenants.tenant(orgId);
  const timeZone = await tenant.read(timeZoneOf);
  await yieldToEventLoop();
  dateIn(timeZone, clock.now()); // the first one in a process takes longer than most requests
  await yieldToEventLoop();
  await tenant.read(judgeNewest);
}

async function judgeNewest(reader: Reader<"tenant">): Promise<void> {
  const flight = await newestFlight(reader);
  if (flight) await clearanceOf(reader, flight);
}
