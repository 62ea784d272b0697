/** Whose access token it is, and what they are in the organization, by one prepared statement. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Databases } from "./databases.ts";

export interface Member {
  orgId: string;
  userId: string;
  name: string;
  email: string;
  roles: readonly string[];
}

interface Standing {
  user_id: string;
  name: string;
  email: string;
  roles: string | null;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createSessions({ control }: Databases, { key, issuer }: { key: Buffer; issuer: string }) {
  const standing = control.prepare<Standing, [string, string, string]>(`
    select u.id as user_id, u.name, u.email, m.roles
    from sessions s join users u on u.id = s.user_id left join memberships m on m.org_id = ? and m.user_id = u.id
    where s.id = ? and s.revoked_at is null and s.idle_until > ? and u.disabled_at is null`);

  /** The session that an HS256 token names; undefined unless it is signed, ours and in date. */
  const sessionOf = (token: string): string | undefined => {
    const [header, payload, signature] = token.split(".");
    if (header === undefined || payload === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, "base64url");
    const right = createHmac("sha256", key).update(`${header}.${payload}`).digest();
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    if (JSON.parse(Buffer.from(header, "base64url").toString()).alg !== "HS256") return undefined;
    const { iss, aud, exp, sid } = JSON.parse(Buffer.from(payload, "base64url").toString());
    return iss === issuer && aud === "windsock" && exp > Date.now() / 1000 && typeof sid === "string" ? sid : undefined;
  };

  return {
    /** The member who asks, or the status to refuse with. */
    member(authorization: string | undefined, orgId: string): Member | 401 | 404 {
      if (!authorization?.startsWith("Bearer ")) return 401;
      const session = sessionOf(authorization.slice(7));
      if (session === undefined) return 401;
      const row = standing.get(orgId, session, new Date().toISOString());
      if (row === null) return 401;
      if (row.roles === null || !uuid.test(orgId)) return 404;
      const { user_id: userId, name, email, roles } = row;
      return { orgId, userId, name, email, roles: JSON.parse(roles) };
    },
  };
}
