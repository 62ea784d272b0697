/**
 * What a link brought in the fragment of its address: the token of a mail, or what came of a sign-in through a provider. It is read once
 * and removed from the address, and so from the history. Nobody else's words are shown: a text in the fragment can be anybody's.
 */
import { signal } from "@preact/signals";

const names = ["token", "mfa_token", "error"] as const;

export type Arrival = Readonly<Partial<Record<(typeof names)[number], string>>>;

export const arrival = signal<Arrival>({});

/** Where a sign-in through a provider comes back to. The operator has allowed this page, and no other of the entrance. */
export const returnPage = "/app/sign-in";

/** Kept for this tab only, and until it is back. */
const kept = "windsock.return";

/** Before the browser leaves for a provider: it comes back to this page, and goes on with the token that it has. */
export const comeBackHere = (): void =>
  sessionStorage.setItem(kept, JSON.stringify({ to: location.pathname + location.search, token: arrival.value.token }));

/** Mails have one page for all their links: `/app/link#reset=…`. Each leads on to its own. */
const linkPage = "/app/link";
const pagesOfLinks = {
  reset: "/app/reset-password",
  verify: "/app/verify-email",
  invite: "/app/invites",
  student: "/app/student-invites",
  device: "/app/hand-off",
} as const;

function followLink(): void {
  if (location.pathname !== linkPage) return;
  const fragment = new URLSearchParams(location.hash.slice(1));
  for (const [name, page] of Object.entries(pagesOfLinks)) {
    const token = fragment.get(name);
    if (token !== null) history.replaceState(null, "", `${page}#token=${encodeURIComponent(token)}`);
  }
}

/** Call it before the address is used, and when it changes. */
export function readArrival(): void {
  followLink();
  const fragment = new URLSearchParams(location.hash.slice(1));
  const found = names.flatMap((name) => {
    const value = fragment.get(name);
    return value === null || value === "" ? [] : [[name, value]];
  });
  const left = location.pathname === returnPage ? sessionStorage.getItem(kept) : null;
  if (found.length === 0 && left === null) return;
  sessionStorage.removeItem(kept);
  const { to, token }: { to?: string; token?: string } = left === null ? {} : JSON.parse(left);
  // After a refusal, or for a code, the sign-in goes on at the page that it came from.
  history.replaceState(null, "", to?.startsWith("/app") ? to : location.pathname + location.search);
  arrival.value = { ...(token !== undefined && { token }), ...Object.fromEntries(found) };
}
