import { z } from "zod";
import type { EventId } from "../../../core/ids.ts";

const EVENT_ID = /^evt_[0-9a-f]{32}$/;

export const isEventId = (text: string): text is EventId => EVENT_ID.test(text);

/** An event's id, in and out. */
export const eventId = z
  .string()
  .regex(EVENT_ID)
  .meta({ examples: ["evt_01890a5dac96774bbcceb302099a8057"] }) as unknown as z.ZodType<EventId, string>;
