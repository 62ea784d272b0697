/**
 * What an account has typed and not sent, kept in this browser: it survives a lost connection and a closed tab. Nobody else's is ever
 * read, and all is erased at sign-out, or when another account signs in.
 */
import { effect } from "@preact/signals";
import { me, organization, state } from "./session.ts";

const name = "windsock";
const store = "drafts";

const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened: Promise<IDBDatabase> | undefined;
function open(): Promise<IDBDatabase> {
  opened ??= (() => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    return done(request);
  })();
  return opened;
}

/** A browser may refuse to keep anything, in a private window for example: then a draft lives as long as its page. */
async function inStore<Value>(
  mode: IDBTransactionMode,
  work: (drafts: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value | undefined> {
  try {
    return await done(work((await open()).transaction(store, mode).objectStore(store)));
  } catch {
    return undefined;
  }
}

const ofAccount = () => `${me.peek()?.user.id ?? ""}/`;
const keyOf = (draft: string): string => `${ofAccount()}${organization.peek()?.id ?? ""}/${draft}`;

/** @param value what can be cloned */
export const keepDraft = (draft: string, value: unknown) =>
  inStore("readwrite", (drafts) => drafts.put(value, keyOf(draft)));

export const keptDraft = (draft: string): Promise<unknown> => inStore("readonly", (drafts) => drafts.get(keyOf(draft)));

export const forgetDraft = (draft: string) => inStore("readwrite", (drafts) => drafts.delete(keyOf(draft)));

/** What another account has left is erased. */
async function eraseOthers(): Promise<void> {
  const mine = ofAccount();
  const keys = (await inStore("readonly", (drafts) => drafts.getAllKeys())) ?? [];
  for (const key of keys) if (!String(key).startsWith(mine)) await inStore("readwrite", (drafts) => drafts.delete(key));
}

let wasSignedIn = false;
effect(() => {
  const { kind } = state.value;
  if (kind === "signed-in") void eraseOthers();
  // A session that ran out while nobody was here leaves the drafts: the same account goes on with them.
  if (kind === "signed-out" && wasSignedIn) void inStore("readwrite", (drafts) => drafts.clear());
  wasSignedIn = kind === "signed-in";
});
