/** Two desks change one resource: field by field, what each of them means. */

export type Values = Readonly<Record<string, unknown>>;

interface Merged {
  /** What is still to be sent. */
  send: Record<string, unknown>;
  /** Fields that only the other desk has changed. */
  theirs: string[];
  /** Fields that both have changed, to different values. */
  disputed: string[];
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields of a form that differ from what it was filled from. */
export const changesIn = <Typed extends object>(
  before: { [Name in keyof Typed]?: unknown },
  typed: Typed,
): Partial<Typed> =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => name in before && !isSame((before as Values)[name], value)),
  ) as Partial<Typed>;

/**
 * @param before what the form was filled from
 * @param now what the resource is by now
 * @param mine the fields that were changed in the form
 * @param shown the names of the fields of the form
 * @param lists names of fields that hold entries of their own: of these each desk's additions and removals count
 */
export function merge(
  { before, now, mine }: Record<"before" | "now" | "mine", Values>,
  shown: readonly string[],
  lists: readonly string[],
): Merged {
  const send: Record<string, unknown> = {};
  const disputed: string[] = [];
  for (const [name, value] of Object.entries(mine)) {
    if (isSame(now[name], value)) continue;
    if (isSame(now[name], before[name])) send[name] = value;
    else if (lists.includes(name))
      send[name] = mergedList(entriesOf(before[name]), entriesOf(now[name]), entriesOf(value));
    else disputed.push(name);
  }
  const theirs = shown.filter((name) => !(name in mine) && !isSame(now[name], before[name]));
  return { send, theirs, disputed };
}

const entriesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function mergedList(before: readonly unknown[], now: readonly unknown[], mine: readonly unknown[]): unknown[] {
  const removed = without(before, mine);
  const added = without(mine, before);
  const kept = without(now, removed);
  return [...kept, ...without(added, kept)];
}

/** Each entry of the second takes one equal entry from the first. */
function without(entries: readonly unknown[], taken: readonly unknown[]): unknown[] {
  const left = [...entries];
  for (const one of taken) {
    const at = left.findIndex((entry) => isSame(entry, one));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
