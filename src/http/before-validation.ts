/**
 * Hooks for the `transform` of a route. They run after the gate and before the input is validated, so a caller who is not
 * permitted, or who is over a limit, costs no validation and learns nothing about the input.
 */
import { type Actor, authorize } from "../core/actor.ts";
import type { OrgId } from "../core/ids.ts";
import type { Permission } from "../core/permissions.ts";
import { type Fields, type Limiter, takeOrRefuse } from "./rate-limit.ts";

/** Requires one of the permissions. @throws FORBIDDEN */
export const requires =
  (...anyOf: readonly [Permission, ...Permission[]]) =>
  ({ context: { actor } }: { context: { actor: Actor } }): void => {
    authorize(actor, ...anyOf);
  };

/** Counts the request against a limit of the caller's organization. @throws RATE_LIMITED */
export const limitedPerOrganization =
  (policy: string, limiter: Limiter) =>
  ({ context: { actor }, set }: { context: { actor: { orgId: OrgId } }; set: Fields }): void =>
    takeOrRefuse(set, policy, limiter, actor.orgId);
