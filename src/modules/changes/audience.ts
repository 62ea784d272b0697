/** Who learns of which change. The modules' queries run once for the records of a kind, and only if a reader depends on them. */
import type { UserId } from "../../core/ids.ts";
import type { Permission } from "../../core/permissions.ts";
import type { ChangeKind, Sight } from "../../storage/change-kinds.ts";
import type { Reader } from "../../storage/store.ts";

/** The reader of a stream. */
export interface Viewer {
  readonly userId: UserId;
  readonly permissions: ReadonlySet<Permission>;
  readonly email: string;
}

/** Returns whether all members with the permissions see a record, or else whether one of them does. */
export type SeenBy = (permissions: Viewer["permissions"]) => "all" | ((viewer: Viewer) => boolean);

const holds = (permissions: Viewer["permissions"], { needs }: Sight): boolean =>
  needs.every((one) => permissions.has(one));

interface Audience {
  isAll: boolean;
  userIds: Set<UserId>;
  emails: Set<string>;
}

/** Records of one kind that changed, and the rows of the audit log of these changes. */
interface Changed {
  ids: readonly string[];
  rows: readonly number[];
}

/** Returns who of the viewers sees which of the records, or saw it before, by its id. */
export async function audienceOf(
  reader: Reader,
  { seenBy }: ChangeKind,
  changed: Changed,
  viewers: readonly Viewer[],
): Promise<(id: string) => SeenBy> {
  const held = new Set(viewers.map(({ permissions }) => permissions));
  const seesAll = (permissions: Viewer["permissions"]) =>
    seenBy.some((sight) => sight.of === undefined && holds(permissions, sight));
  const others = [...held].filter((permissions) => !seesAll(permissions));
  const parts: { sight: Sight; audiences: ReadonlyMap<string, Audience> }[] = [];
  for (const sight of seenBy)
    if (sight.of && others.some((permissions) => holds(permissions, sight)))
      parts.push({ sight, audiences: await audiencesOf(reader, sight, changed) });
  return (id) => (permissions) => {
    if (seesAll(permissions)) return "all";
    const of = parts.flatMap(({ sight, audiences }) => (holds(permissions, sight) ? (audiences.get(id) ?? []) : []));
    return of.some(({ isAll }) => isAll) ? "all" : (viewer) => of.some((audience) => isIn(audience, viewer));
  };
}

async function audiencesOf(
  reader: Reader,
  { of, before }: Sight,
  { ids, rows }: Changed,
): Promise<ReadonlyMap<string, Audience>> {
  const found = new Map<string, Audience>();
  for (const seen of [...((await of?.(reader, ids)) ?? []), ...((await before?.(reader, rows)) ?? [])]) {
    const audience = found.get(seen.id) ?? { isAll: false, userIds: new Set(), emails: new Set() };
    found.set(seen.id, audience);
    if (seen.by === "all") audience.isAll = true;
    else {
      if (seen.userId !== null) audience.userIds.add(seen.userId);
      if (seen.email !== null) audience.emails.add(seen.email);
    }
  }
  return found;
}

const isIn = ({ userIds, emails }: Audience, { userId, email }: Viewer): boolean =>
  userIds.has(userId) || emails.has(email);
