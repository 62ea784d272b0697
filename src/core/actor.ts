import { notPermitted } from "./errors.ts";
import type { ApiKeyId, OrgId, SessionId, UserId } from "./ids.ts";
import type { Permission } from "./permissions.ts";

/** Somebody signed in, before any organization is named. */
export interface UserActor {
  kind: "user";
  userId: UserId;
  sessionId: SessionId;
  email: string;
  name: string;
}

/** Somebody signed in and acting in an organization they are a member of. */
export interface MemberActor extends UserActor {
  orgId: OrgId;
  permissions: ReadonlySet<Permission>;
}

/** An integrator's key: reads what its scopes name. */
export interface ApiKeyActor {
  kind: "api_key";
  keyId: ApiKeyId;
  orgId: OrgId;
  scopes: ReadonlySet<string>;
}

/** Who is at work. `anonymous` is somebody at the front door: signing up, claiming an invite. */
export type Actor =
  | UserActor
  | MemberActor
  | ApiKeyActor
  | { kind: "anonymous" }
  | { kind: "job"; name: string }
  | { kind: "command_line" };

/** @throws FORBIDDEN unless the actor holds the permission here. The command line and jobs hold them all. */
export function authorize(actor: Actor, permission: Permission): void {
  if (!permits(actor, permission)) throw notPermitted();
}

/** Whether the actor holds the permission here. */
export function permits(actor: Actor, permission: Permission): boolean {
  if (actor.kind === "job" || actor.kind === "command_line") return true;
  return "permissions" in actor && actor.permissions.has(permission);
}
