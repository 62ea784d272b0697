import type { Clock } from "../../core/clock.ts";
import { createLimiter, type Limiter } from "../../http/rate-limit.ts";

/** How often an organization may have something sent to its endpoints by hand; its own and its keys' replays together. */
export interface IntegrationLimits {
  pings: Limiter;
  replays: Limiter;
}

const perMinute = { limit: 60, windowSeconds: 60 };

export const createIntegrationLimits = (clock: Clock): IntegrationLimits => ({
  pings: createLimiter({ clock, ...perMinute }),
  replays: createLimiter({ clock, ...perMinute }),
});
