/**
 * The answers of GETs. What was seen before shows at once, and is refreshed behind. All parts of a screen that ask the same share one
 * answer.
 */
import { computed, effect, type Signal, signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { type Answer, addressOf, type InputArgs, type OperationName } from "../api/client.ts";
import { client, me, organization } from "./session.ts";
import { keepTag } from "./tags.ts";

type Get = Extract<OperationName, `GET ${string}`>;

interface Entry {
  url: string;
  load(): Promise<void>;
  data: Signal<unknown>;
  problem: Signal<unknown>;
  /** The request that is under way. */
  loading: Promise<void> | undefined;
  /** When the last request was sent, as `performance.now()`. */
  asked: number;
  etag: string | undefined;
  /** Parts of the screen that show it. */
  users: number;
}

export interface Resource<Value> {
  /** `undefined` until the first answer. */
  data: Value | undefined;
  /** Why the last request failed. `data` is then what was known before. */
  problem: unknown;
  reload(): Promise<void>;
}

/** Answers that no screen shows are kept up to this number. */
const most = 150;
const entries = new Map<string, Entry>();

/** Whose answers they are. */
const scope = computed(() => `${me.value?.user.id ?? ""} ${organization.value?.id ?? ""}`);
effect(() => {
  scope.value;
  entries.clear();
});

function entryOf(name: Get, input: object): Entry {
  const { url } = addressOf(name, input, organization.value?.id);
  const known = entries.get(url);
  if (known) {
    // The most recently used entries are the last.
    entries.delete(url);
    entries.set(url, known);
    return known;
  }
  const entry: Entry = {
    url,
    data: signal(undefined),
    problem: signal(undefined),
    loading: undefined,
    asked: Number.NEGATIVE_INFINITY,
    etag: undefined,
    users: 0,
    load: () => load(entry, name, input),
  };
  entries.set(url, entry);
  for (const [old, { users }] of entries) {
    if (entries.size <= most) break;
    if (users === 0) entries.delete(old);
  }
  return entry;
}

/** Parts of a screen that are opened together share one request. */
function load(entry: Entry, name: Get, input: object): Promise<void> {
  if (entry.loading !== undefined) return entry.loading;
  entry.asked = performance.now();
  entry.loading = read(entry, name, input).finally(() => {
    entry.loading = undefined;
  });
  return entry.loading;
}

/** After a change: the answer of a request that was sent before it may be older. */
async function loadAnew(entry: Entry): Promise<void> {
  await entry.loading;
  await entry.load();
}

async function read(entry: Entry, name: Get, input: object): Promise<void> {
  const held = entry.data.value === undefined ? undefined : entry.etag;
  try {
    const response = await client.request(name, input, held === undefined ? {} : { "if-none-match": held });
    if (response.status !== 304) {
      entry.data.value = keepTag(await response.json(), response);
      entry.etag = response.headers.get("etag") ?? undefined;
    }
    entry.problem.value = undefined;
  } catch (problem) {
    entry.problem.value = problem;
  }
}

/** Waits for the requests that are under way. Returns whether there were any. */
export async function untilLoaded(): Promise<boolean> {
  const all = [...entries.values()].flatMap(({ loading }) => loading ?? []);
  await Promise.all(all);
  return all.length > 0;
}

/** Asks for what a screen will show as soon as it is rendered: it shares the request. */
export function loadEarly<Name extends Get>(name: Name, ...[input]: InputArgs<Name>): void {
  void entryOf(name, input ?? {}).load();
}

/** Loads what a screen shows. Without a name it loads nothing. */
export function useResource<Name extends Get>(
  name: Name | undefined,
  ...[input]: InputArgs<Name>
): Resource<Answer<Name>> {
  const url = name === undefined ? "" : addressOf(name, (input ?? {}) as object, organization.value?.id).url;
  const entry = useMemo(() => (name === undefined ? undefined : entryOf(name, input ?? {})), [url, scope.value]);
  // Before the browser paints: what is asked for comes before what the user does next.
  useLayoutEffect(() => {
    if (!entry) return;
    entry.users += 1;
    void entry.load();
    return () => {
      entry.users -= 1;
    };
  }, [entry]);
  return {
    data: entry?.data.value as Answer<Name> | undefined,
    problem: entry?.problem.value,
    reload: async () => entry?.load(),
  };
}

/** When the server can be reached again: what is shown and could not be loaded. */
export function retryFailed(): void {
  for (const entry of entries.values()) if (entry.users > 0 && entry.problem.value !== undefined) void entry.load();
}

/** After a change: answers whose path begins like this are loaded anew if they are shown, and forgotten if not. */
export const changed = (...paths: readonly string[]): Promise<void> =>
  changedAccount(...paths.map((path) => `/orgs/${organization.value?.id}${path}`));

/** The same for one resource. */
export const changedAt = (name: OperationName, path: object | undefined): Promise<void> =>
  changedAccount(addressOf(name, { path: path as Record<string, string> }, organization.value?.id).url);

/** The same for what belongs to the account and to no organization: `/auth/sessions`. */
export const changedAccount = (...paths: readonly string[]): Promise<void> =>
  loadAgain(({ url }) => paths.some((path) => url.startsWith(path)));

/**
 * The same for what others changed.
 *
 * @param told when the change was told, as `performance.now()`, of each beginning of a path: an answer that was asked for later has it
 */
export const changedByOthers = (told: ReadonlyMap<string, number>): Promise<void> =>
  loadAgain(({ url, asked }) =>
    [...told].some(([path, at]) => asked <= at && url.startsWith(`/orgs/${organization.value?.id}${path}`)),
  );

async function loadAgain(isOld: (entry: Entry) => boolean): Promise<void> {
  const found = [...entries.values()].filter(isOld);
  // It stays in its place: a part that is just being opened holds it already, and will hear of the next change.
  for (const { data, users } of found) if (users === 0) data.value = undefined;
  await Promise.all(found.filter(({ users }) => users > 0).map(loadAnew));
}
