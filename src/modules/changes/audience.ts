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

export type Sees = (viewer: Viewer, id: string) => boolean;

const holds = ({ permissions }: Viewer, { needs }: Sight): boolean => needs.every((one) => permissions.has(one));

interface Audience {
  isAll: boolean;
  userIds: Set<UserId>;
  emails: Set<string>;
}

/** Returns who of the viewers sees which of the records. */
export async function audienceOf(
  reader: Reader,
  { seenBy }: ChangeKind,
  ids: readonly string[],
  viewers: readonly Viewer[],
): Promise<Sees> {
  const whole = seenBy.filter(({ of }) => of === undefined);
  const seesAll = (viewer: Viewer) => whole.some((sight) => holds(viewer, sight));
  const others = viewers.filter((viewer) => !seesAll(viewer));
  const parts: { sight: Sight; audiences: ReadonlyMap<string, Audience> }[] = [];
  for (const sight of seenBy)
    if (sight.of && others.some((viewer) => holds(viewer, sight)))
      parts.push({ sight, audiences: await audiencesOf(reader, sight.of, ids) });
  return (viewer, id) =>
    seesAll(viewer) || parts.some(({ sight, audiences }) => holds(viewer, sight) && isIn(audiences.get(id), viewer));
}

async function audiencesOf(
  reader: Reader,
  of: NonNullable<Sight["of"]>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Audience>> {
  const found = new Map<string, Audience>();
  for (const seen of await of(reader, ids)) {
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

const isIn = (audience: Audience | undefined, { userId, email }: Viewer): boolean =>
  audience !== undefined && (audience.isAll || audience.userIds.has(userId) || audience.emails.has(email));
