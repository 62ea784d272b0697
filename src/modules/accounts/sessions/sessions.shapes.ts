/** What a response shows of sessions to their owner. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { SessionId } from "../../../core/ids.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { bool, field, json, type Resource, shape } from "../../../storage/shape.ts";
import { sessions } from "../accounts.tables.ts";

export const session = shape("Session", {
  id: field(idOf<"session">(), sessions.id),
  current: field(
    z.boolean().meta({ description: "Whether it is the session of this request.", examples: [true] }),
    bool(sql`${sessions.id} = asking.id`),
  ),
  device: field(
    z.string().meta({
      description: "The `User-Agent` of the last refresh, or of the sign-in.",
      examples: ["Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"],
    }),
    sessions.user_agent,
  ),
  address: field(
    z.string().meta({ description: "The client address of that request.", examples: ["192.0.2.1"] }),
    sessions.address,
  ),
  amr: field(
    z.array(z.string()).meta({ description: "The authentication methods (RFC 8176).", examples: [["pwd"]] }),
    json(sessions.amr),
  ),
  created_at: field(instantOut, sessions.created_at),
  last_seen_at: field(instantOut.meta({ description: "The last refresh, or the sign-in." }), sessions.rotated_at),
  expires_at: field(instantOut.meta({ description: "When it expires unless it is refreshed." }), sessions.idle_until),
});

export type Session = Resource<typeof session>;

/** The rows of `sessions`, with the id of the session of the request. */
export const sessionsSeenFrom = (id: SessionId) => sql`${sessions} cross join (select ${id} as id) as asking`;
