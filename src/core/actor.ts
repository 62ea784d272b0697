import type { Instant } from "./clock.ts";
import { notPermitted } from "./errors.ts";
import type { ApiKeyId, OrgId, SessionId, UserId } from "./ids.ts";
import type { Permission } from "./permissions.ts";

/** A signed-in user outside any organization. */
export interface UserActor {
  kind: "user";
  userId: UserId;
  sessionId: SessionId;
  email: string;
  name: string;
  /** In a request: the organization of its access token, if the account is a member of one. */
  defaultOrgId?: OrgId | null;
  /** In a request: when its access token expires. */
  expiresAt?: Instant;
}

/** A signed-in user who acts as a member of an organization. */
export interface MemberActor extends UserActor {
  orgId: OrgId;
  permissions: ReadonlySet<Permission>;
}

/** A member, and what they may do. */
export type Rights = Pick<MemberActor, "kind" | "userId" | "permissions">;

/** An integrator's API key. Its scopes limit what it can read. */
export interface ApiKeyActor {
  kind: "api_key";
  keyId: ApiKeyId;
  orgId: OrgId;
  scopes: ReadonlySet<string>;
}

/** Who does the work. `anonymous` is a caller without a credential, who signs up or claims an invite. */
export type Actor =
  | UserActor
  | MemberActor
  | ApiKeyActor
  | { kind: "anonymous" }
  | { kind: "job"; name: string }
  | { kind: "command_line" };

/** Returns the account; null for a job, and for others without one. */
export const userIdOf = (actor: Actor): UserId | null => (actor.kind === "user" ? actor.userId : null);

/** @throws FORBIDDEN the actor holds none of the permissions here. The command line and jobs hold all permissions. */
export function authorize(actor: Actor | Rights, ...anyOf: readonly [Permission, ...Permission[]]): void {
  if (!anyOf.some((permission) => permits(actor, permission))) throw notPermitted();
}

/** Returns whether the actor holds the permission here. */
export function permits(actor: Actor | Rights, permission: Permission): boolean {
  if (actor.kind === "job" || actor.kind === "command_line") return true;
  return "permissions" in actor && actor.permissions.has(permission);
}
