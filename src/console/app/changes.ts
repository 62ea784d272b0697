/**
 * What others change appears by itself: while a tab is shown, it follows the stream of changes of its organization, and loads anew what
 * a change shows in. Each tab has its own stream, and only while it is shown: there is no tab that others depend on.
 */
import { computed, effect, signal } from "@preact/signals";
import { Problem } from "../api/problem.ts";
import { eventsOf } from "./event-stream.ts";
import { changedByOthers, retryFailed, untilLoaded } from "./resource.ts";
import { client, isLeaving, isSuspended, me, organization, reloadMe } from "./session.ts";
import { pathsOf } from "./shown-by.ts";

/** Milliseconds that a tab may be hidden before its stream ends, so that a short look elsewhere costs nothing. */
const shortLook = 30_000;
/** Milliseconds before the first attempt to connect again, and the longest. Each takes twice as long as the one before. */
const waits = { first: 1000, longest: 30_000 };
/** Milliseconds in which changes are collected, and between two times that they are loaded. */
const collecting = 50;
const between = 500;

const isShown = signal(document.visibilityState !== "hidden");
let hiding: ReturnType<typeof setTimeout> | undefined;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.visibilityState !== "hidden") isShown.value = true;
  else
    hiding = setTimeout(() => {
      isShown.value = false;
    }, shortLook);
});

/** How often the computer was connected again: a connection of before may be dead without a sign. */
const connected = signal(0);
addEventListener("online", () => {
  connected.value += 1;
});

/** Of whom the stream is. Another name of the account or the organization is no other one. */
const followed = computed(() => {
  const [user, org] = [me.value?.user.id, organization.value?.id];
  return user !== undefined && org !== undefined && !isLeaving.value && !isSuspended.value
    ? `${user} ${org}`
    : undefined;
});

/** Begins to follow. Call it once. */
export function followChanges(): void {
  let revision: string | undefined;
  effect(() => {
    followed.value;
    revision = undefined;
    noted.clear();
  });
  effect(() => {
    connected.value;
    if (followed.value === undefined || !isShown.value) return;
    const ending = new AbortController();
    void follow(
      ending.signal,
      () => revision,
      (next) => {
        if (!ending.signal.aborted) revision = next;
      },
    );
    return () => ending.abort();
  });
}

async function follow(
  signal: AbortSignal,
  last: () => string | undefined,
  onRevision: (revision: string) => void,
): Promise<void> {
  for (let wait = waits.first; !signal.aborted; ) {
    try {
      const after = last();
      const headers = { accept: "text/event-stream", ...(after !== undefined && { "last-event-id": after }) };
      const { body } = await client.request("GET /orgs/{orgId}/changes", { signal }, headers);
      retryFailed();
      if (body)
        for await (const { name, data } of eventsOf(body, onRevision)) {
          if (signal.aborted) return;
          wait = waits.first;
          if (name === "reset") note([""]);
          else if (name === "change") take(JSON.parse(data));
        }
    } catch (error) {
      if (error instanceof Problem && error.reason === "organization_suspended") void reloadMe().catch(() => undefined);
      // The connection was cut, or there is none: what is shown stays, and each request of the user says so.
    }
    await pause(wait, signal);
    wait = Math.min(2 * wait, waits.longest);
  }
}

function take({ kind, id }: { kind: string; id: string }): void {
  note(pathsOf(kind));
  // Other roles are other permissions, and the organization's name is on each screen.
  if (kind === "organization" || (kind === "member" && id === me.value?.user.id))
    void reloadMe().catch(() => undefined);
}

/** The paths whose answers may be other ones, of whom the stream is, and when that was told. */
const noted = new Map<string, number>();
let isLoading = false;

let lastLoading = Number.NEGATIVE_INFINITY;

/** Many changes in a row load each answer twice a second. */
function note(paths: readonly string[]): void {
  for (const path of paths) noted.set(path, performance.now());
  if (!isLoading) void loadNoted();
}

async function loadNoted(): Promise<void> {
  isLoading = true;
  while (noted.size > 0) {
    // A screen that is being opened comes first: where a stream begins, what was asked for before it is asked for anew.
    if (await untilLoaded()) lastLoading = performance.now();
    const wait = Math.max(collecting, lastLoading + between - performance.now());
    await new Promise((resolve) => setTimeout(resolve, wait));
    const told = new Map(noted);
    noted.clear();
    lastLoading = performance.now();
    await changedByOthers(told);
  }
  isLoading = false;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const go = () => resolve();
  // Not all consoles at once, when the server is back.
  const timer = setTimeout(go, milliseconds * (1 + Math.random() / 2));
  signal.addEventListener("abort", go, { once: true });
  return promise.finally(() => clearTimeout(timer));
}
