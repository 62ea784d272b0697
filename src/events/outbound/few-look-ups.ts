import type { OrgId } from "../../core/ids.ts";
import { Turns } from "../../core/turns.ts";
import type { Resolve } from "./resolve.ts";

/** A look-up that waits for its turn. */
interface Asked {
  readonly orgId: OrgId;
  readonly name: string;
  found(addresses: readonly string[]): void;
}

/** @returns the addresses of a name; none, when it has none or `patience` (milliseconds) is over */
export type LookUp = (name: string, asked: { orgId: OrgId; patience: number }) => Promise<readonly string[]>;

/**
 * Bounds what look-ups hold, whoever's name servers keep silent: one at a time for each organization, which take turns,
 * and so many in all. A look-up that nobody waits for any more keeps its place until it has really ended.
 */
export function fewLookUps(resolve: Resolve, most: number): LookUp {
  const underWay = new Set<OrgId>();
  const line = new Turns<Asked>();

  const next = () => {
    while (underWay.size < most) {
      const asked = line.take((orgId) => !underWay.has(orgId));
      if (asked === undefined) return;
      begin(asked);
    }
  };
  const begin = (asked: Asked) => {
    underWay.add(asked.orgId);
    void resolve(asked.name)
      .catch(() => [])
      .then((addresses) => {
        underWay.delete(asked.orgId);
        line.postpone(asked.orgId); // else whoever holds a place would follow themselves
        asked.found(addresses);
        next();
      });
  };

  return async (name, { orgId, patience }) => {
    const { promise, resolve: found } = Promise.withResolvers<readonly string[]>();
    const asked = { orgId, name, found };
    line.add(asked);
    next();
    const timer = setTimeout(found, patience, []);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      line.remove(asked);
    }
  };
}
