/** Who is signed in, and the client that calls the API for them. */
import { computed, signal } from "@preact/signals";
import { createClient } from "../api/client.ts";
import type { Me, TokenPair } from "../api/operations.ts";
import { ask } from "../ui/ask.ts";
import { createTokens } from "./tokens.ts";

type State = { kind: "starting" } | { kind: "unreachable" } | { kind: "signed-out" } | { kind: "signed-in"; me: Me };

/** Cookies with `Secure` and Web Locks need a secure origin: HTTPS, or this machine. */
const isSecure = globalThis.isSecureContext !== false;

const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request("windsock.session", work) as Promise<T>) : work();

export const tokens = createTokens(
  { fetch: (url, init) => fetch(url, init), now: () => performance.now(), alone },
  isSecure,
);

export const state = signal<State>({ kind: "starting" });
export const me = computed(() => (state.value.kind === "signed-in" ? state.value.me : undefined));

/** The organization that the console shows, if the account has one. */
const chosenOrg = signal(localStorage.getItem("windsock.org") ?? undefined);
export const organization = computed(
  () => me.value?.organizations.find(({ id }) => id === chosenOrg.value) ?? me.value?.organizations[0],
);

/** Whether the operator has suspended it: then the server refuses all that is the school's. */
export const isSuspended = computed(() => (organization.value?.suspended_at ?? null) !== null);

export function chooseOrganization(id: string): void {
  localStorage.setItem("windsock.org", id);
  chosenOrg.value = id;
}

/** Questions that the shell answers with a dialog, while a request waits. */
export const signInAgain = ask<void, boolean>();
export const stepUp = ask<void, boolean>();

export const client = createClient({
  fetch: (url, init) => fetch(url, init),
  token: () => tokens.current(),
  async renew(rejected) {
    const renewed = await tokens.renew(rejected);
    if (renewed !== undefined || me.value === undefined || isLeaving.value) return renewed;
    if (await signInAgain.put()) return tokens.current();
    leave();
    return undefined;
  },
  stepUp: () => stepUp.put(),
  orgId: () => organization.value?.id,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});

export const { call } = client;

/** Goes on with the session of an earlier visit, if there is one. */
export async function start(): Promise<void> {
  try {
    state.value =
      (await tokens.renew()) === undefined ? { kind: "signed-out" } : { kind: "signed-in", me: await load() };
  } catch {
    state.value = { kind: "unreachable" };
  }
}

/** Begins a session with the tokens of a sign-in. */
export async function begin(pair: TokenPair): Promise<void> {
  tokens.take(pair);
  state.value = { kind: "signed-in", me: await load() };
}

/** After a change of the account or of its organizations. */
export async function reloadMe(): Promise<void> {
  state.value = { kind: "signed-in", me: await load() };
}

const load = async (): Promise<Me> => (await call("GET /auth/me")).data;

/** The server ends the session: nothing begins any more that needs it. */
export const isLeaving = signal(false);

export async function signOut(): Promise<void> {
  const { refreshToken } = tokens;
  isLeaving.value = true;
  await call("POST /auth/logout", { body: refreshToken === undefined ? {} : { refresh_token: refreshToken } }).catch(
    () => undefined,
  );
  leave();
  isLeaving.value = false;
}

/** The session is over, in all tabs. */
export function leave(): void {
  tokens.forget();
  state.value = { kind: "signed-out" };
  tabs?.postMessage("signed-out");
}

/** A sign-out ends the session in all tabs. */
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("windsock.session") : undefined;
tabs?.addEventListener("message", () => {
  tokens.forget();
  state.value = { kind: "signed-out" };
});
