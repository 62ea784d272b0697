/** Limits the uploads at the same time: each has a chunk in memory. */
import { Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";

export interface UploadSlots {
  /** @throws RATE_LIMITED too many uploads are in progress */
  take(orgId: OrgId): Disposable;
}

const tooMany = () =>
  new Problem("RATE_LIMITED", "Too many uploads are in progress. Retry when one has ended.", { retryAfter: 5 });

export function createUploadSlots({ perOrganization = 20, inAll = 60 } = {}): UploadSlots {
  const taken = new Map<OrgId, number>();
  let total = 0;
  const count = (orgId: OrgId, more: 1 | -1) => {
    const now = (taken.get(orgId) ?? 0) + more;
    total += more;
    if (now === 0) taken.delete(orgId);
    else taken.set(orgId, now);
  };
  return {
    take(orgId) {
      if (total >= inAll || (taken.get(orgId) ?? 0) >= perOrganization) throw tooMany();
      count(orgId, 1);
      return { [Symbol.dispose]: () => count(orgId, -1) };
    },
  };
}
