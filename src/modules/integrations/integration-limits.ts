import type { Clock } from "../../core/clock.ts";
import { createLimiter, type Limiter } from "../../http/rate-limit.ts";

/** Rate limits of an organization for pings and replays. Replays by members and by API keys share a limit. */
export interface IntegrationLimits {
  pings: Limiter;
  replays: Limiter;
}

const perMinute = { limit: 60, windowSeconds: 60 };

export const createIntegrationLimits = (clock: Clock): IntegrationLimits => ({
  pings: createLimiter({ clock, ...perMinute }),
  replays: createLimiter({ clock, ...perMinute }),
});
