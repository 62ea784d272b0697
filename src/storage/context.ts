import type { Actor, ApiKeyActor, MemberActor, UserActor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Control, Tenant } from "./store.ts";

/** What a verb is given besides its input: who is at work, since when, and on which databases. */
export interface Context<A extends Actor = Actor> {
  readonly actor: A;
  /** The request that caused the work, for the audit log; empty for jobs and the command line. */
  readonly requestId: string;
  readonly clock: Clock;
  readonly control: Control;
}

/** A context inside one organization. */
export interface TenantContext<A extends Actor = Actor> extends Context<A> {
  readonly tenant: Tenant;
}

/** The operator: whoever may open the data directory. */
export type OperatorContext = Context<{ kind: "command_line" }>;
export type SignedIn = Context<UserActor>;
export type InOrganization = TenantContext<MemberActor>;
export type ByApiKey = TenantContext<ApiKeyActor>;
