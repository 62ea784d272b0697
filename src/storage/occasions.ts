/**
 * What a module tells and asks the modules above it, none of which it imports. It declares an occasion or a question, with the
 * names of the modules that act or answer; they say in their value what they do (`on`, `answer`), and the program does not
 * start unless both agree. Everything happens in the transaction of the verb, in the modules' order.
 *
 * On a server, reads that wait for each other are a trip each. So a follower may read in `prepare` what it needs to act, and a verb
 * may `prepare` an occasion while it reads something else itself, and announce it later. In between, neither the verb nor another
 * follower may change what was read. `prepare` refuses nothing: the verb's own refusals come first.
 */
import type { Act, Followers, Kind, Reader, Tx } from "./store.ts";

/** Something that happens. `About` is what followers are told of it. */
export interface Occasion<About, K extends Kind = "tenant"> {
  readonly name: string;
  readonly followedBy: readonly string[];
  readonly types?: (about: About, kind: K) => void;
}

/** Something that only modules above know. */
export interface Question<About, Answer, K extends Kind = "tenant"> {
  readonly name: string;
  readonly followedBy: readonly string[];
  readonly types?: (about: About, kind: K) => Answer;
}

/** @param followedBy the names of the modules that act on it, in their order */
export const occasion = <About, K extends Kind = "tenant">(
  name: string,
  followedBy: readonly string[],
): Occasion<About, K> => ({ name, followedBy });

/** @param followedBy the names of the modules that answer it, in their order */
export const question = <About, Answer, K extends Kind = "tenant">(
  name: string,
  followedBy: readonly string[],
): Question<About, Answer, K> => ({ name, followedBy });

/** What a module does on an occasion, or answers to a question. */
export interface Follower {
  readonly to: Pick<Occasion<never>, "name" | "followedBy">;
  readonly act: Act;
}

export const on = <About, K extends Kind>(
  to: Occasion<About, K>,
  act: (tx: Tx<K>, about: About) => Promise<unknown>,
): Follower => ({ to, act: { act } });

/** As `on`, of a module that first reads what it needs. */
export const onPrepared = <About, K extends Kind, Prepared>(
  to: Occasion<About, K>,
  prepare: (reader: Reader<K> & Pick<Tx<K>, "now">, about: About) => Promise<Prepared>,
  act: (tx: Tx<K>, about: About, prepared: NoInfer<Prepared>) => Promise<unknown>,
): Follower => ({ to, act: { prepare, act } });

export const answer = <About, Answer, K extends Kind>(
  to: Question<About, Answer, K>,
  act: (reader: Reader<K>, about: About) => Promise<Answer>,
): Follower => ({ to, act: { act } });

/**
 * Collects the followers of all modules.
 *
 * @throws Error an occasion names other modules than those that follow it
 */
export function followersOf(
  modules: readonly { readonly name: string; readonly follows?: readonly Follower[] }[],
): Followers {
  const found = new Map<Follower["to"], { module: string; act: Act }[]>();
  for (const { name, follows = [] } of modules)
    for (const { to, act } of follows) found.set(to, [...(found.get(to) ?? []), { module: name, act }]);
  for (const [{ name, followedBy }, followers] of found) {
    const actual = [...new Set(followers.map(({ module }) => module))].join(", ");
    if (actual !== followedBy.join(", "))
      throw new Error(
        `"${name}" says that ${followedBy.join(", ")} follow it. These do, in the modules' order: ${actual}.`,
      );
  }
  return new Map([...found].map(([to, followers]) => [to, followers.map(({ act }) => act)]));
}

/** Tells the modules above, in the transaction. */
export async function announce<About, K extends Kind>(
  tx: Tx<K>,
  to: Occasion<About, K>,
  about: NoInfer<About>,
): Promise<void> {
  const announcePrepared = await prepare(tx, to, about);
  await announcePrepared();
}

/** Lets the modules above read what they will need. @returns `announce`, to be called when it has happened */
export async function prepare<About, K extends Kind>(
  tx: Tx<K>,
  to: Occasion<About, K>,
  about: NoInfer<About>,
): Promise<() => Promise<void>> {
  const acts = actsOf(tx, to);
  const prepared = await Promise.all(acts.map((one) => one.prepare?.(tx as never, about as never)));
  return async () => {
    for (const [at, { act }] of acts.entries()) await act(tx as never, about as never, prepared[at] as never);
  };
}

/** Returns the answers of the modules above, in their order. */
export async function ask<About, Answer, K extends Kind>(
  reader: Reader<K>,
  to: Question<About, Answer, K>,
  about: NoInfer<About>,
): Promise<Answer[]> {
  // At once: none writes, and on a server their reads are one trip.
  return Promise.all(
    actsOf(reader, to).map(({ act }) => act(reader as never, about as never, undefined as never) as Promise<Answer>),
  );
}

function actsOf({ followers }: Reader, to: Follower["to"]): readonly Act[] {
  const acts = followers.get(to);
  // Silence would lose a posting.
  if (acts === undefined)
    throw new Error(`No module follows "${to.name}": the database was opened without the modules.`);
  return acts;
}
