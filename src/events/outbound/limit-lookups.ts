import type { OrgId } from "../../core/ids.ts";
import { RoundRobin } from "../../core/round-robin.ts";
import type { Resolve } from "./resolve.ts";

/** A lookup that waits to start. */
interface LookupRequest {
  readonly orgId: OrgId;
  readonly name: string;
  resolve(addresses: readonly string[]): void;
}

/** Returns the addresses of a name; none when it has none, or after `timeout` milliseconds. */
export type LimitedLookup = (name: string, options: { orgId: OrgId; timeout: number }) => Promise<readonly string[]>;

/**
 * Limits concurrent lookups, in case name servers do not respond: to one for each organization, in round robin, and to
 * `max` in total. A lookup that timed out keeps its slot until it has ended.
 */
export function limitLookups(resolve: Resolve, max: number): LimitedLookup {
  const active = new Set<OrgId>();
  const waiting = new RoundRobin<OrgId, LookupRequest>(({ orgId }) => orgId);

  const startNext = () => {
    while (active.size < max) {
      const request = waiting.take((orgId) => !active.has(orgId));
      if (request === undefined) return;
      start(request);
    }
  };
  const start = (request: LookupRequest) => {
    active.add(request.orgId);
    void resolve(request.name)
      .catch(() => [])
      .then((addresses) => {
        active.delete(request.orgId);
        waiting.moveToEnd(request.orgId); // otherwise the organization would be next again
        request.resolve(addresses);
        startNext();
      });
  };

  return async (name, { orgId, timeout }) => {
    const { promise, resolve: found } = Promise.withResolvers<readonly string[]>();
    const request = { orgId, name, resolve: found };
    waiting.add(request);
    startNext();
    const timer = setTimeout(found, timeout, []);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.remove(request);
    }
  };
}
