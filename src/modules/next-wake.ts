/** Every reason to look into a school's file at a certain time, in one place. */
import type { Clock, Instant } from "../core/clock.ts";
import { nextDue } from "../events/outbox.ts";
import type { Reader } from "../storage/store.ts";
import { oldestKey } from "../storage/used-keys.ts";
import { isReplaying, nextSecretExpiry, oldestEvent } from "./integrations/due.queries.ts";
import { forgettingKeyOf, forgettingOf, replayingOf, retentionOf } from "./integrations/integrations.jobs.ts";

/** For storage, which keeps it at each checkpoint: whoever has nothing due need not be opened to learn that. */
export const nextWake =
  (clock: Clock, retentionDays?: number) =>
  async (reader: Reader<"tenant">): Promise<Instant | null> => {
    const [delivery, expiry, oldest, key] = [
      await nextDue(reader),
      await nextSecretExpiry(reader),
      await oldestEvent(reader),
      await oldestKey(reader),
    ];
    const replays = await isReplaying(reader);
    const now = clock.now();
    return soonest(
      delivery,
      expiry && forgettingOf(expiry, now),
      oldest && retentionOf(oldest, now, retentionDays),
      key && forgettingKeyOf(key, now),
      replays ? replayingOf(now) : null,
    );
  };

function soonest(...times: (Instant | null)[]): Instant | null {
  const [first] = times.filter((at) => at !== null).sort();
  return first ?? null;
}
