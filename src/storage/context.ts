import type { Actor, ApiKeyActor, MemberActor, UserActor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Control, Tenant } from "./store.ts";

/** What a verb takes besides its input: the actor, the clock and the databases. */
export interface Context<A extends Actor = Actor> {
  readonly actor: A;
  /** For the audit log. Empty for jobs and the command line. */
  readonly requestId: string;
  readonly clock: Clock;
  readonly control: Control;
}

/** The part of the context that the audit log needs. Postings take it from the verb that calls them. */
export type By = Pick<Context, "actor" | "requestId">;

/** The context of one organization. */
export interface TenantContext<A extends Actor = Actor> extends Context<A> {
  readonly tenant: Tenant;
}

/** The operator, who has access to the data directory. */
export type OperatorContext = Context<{ kind: "command_line" }>;
export type SignedIn = Context<UserActor>;
export type InOrganization = TenantContext<MemberActor>;
export type ByApiKey = TenantContext<ApiKeyActor>;
