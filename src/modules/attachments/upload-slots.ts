/** Limits the uploads at the same time: each has a chunk in memory. */
import type { MemberActor } from "../../core/actor.ts";
import { Problem } from "../../core/errors.ts";

export interface UploadSlots {
  /** @throws RATE_LIMITED too many uploads are in progress */
  take(actor: Pick<MemberActor, "orgId" | "userId">): Disposable;
}

const tooMany = () =>
  new Problem("RATE_LIMITED", "Too many uploads are in progress. Retry when one has ended.", { retryAfter: 5 });

/** A slow body can take minutes, so a member has fewer than their organization, and an organization fewer than there are. */
export function createUploadSlots({ perMember = 5, perOrganization = 20, inAll = 60 } = {}): UploadSlots {
  const taken = new Map<string, number>();
  let total = 0;
  const takenBy = (id: string) => taken.get(id) ?? 0;
  const count = (ids: readonly string[], more: 1 | -1) => {
    total += more;
    for (const id of ids) {
      const now = takenBy(id) + more;
      if (now === 0) taken.delete(id);
      else taken.set(id, now);
    }
  };
  return {
    take({ orgId, userId }) {
      if (total >= inAll || takenBy(orgId) >= perOrganization || takenBy(userId) >= perMember) throw tooMany();
      count([orgId, userId], 1);
      return { [Symbol.dispose]: () => count([orgId, userId], -1) };
    },
  };
}
