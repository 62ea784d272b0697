/**
 * What browsers withhold from pages of an origin that is not secure (W3C Secure Contexts, 3.1): plain HTTP from another computer, as on
 * the network of a small school.
 */

/** The refresh cookie, which is `Secure`; Web Locks, which keep tabs from renewing a token twice; the clipboard; `crypto.randomUUID`. */
export const withheldFeatures = ["refresh_cookie", "web_locks", "clipboard", "random_uuid"] as const;
export type WithheldFeature = (typeof withheldFeatures)[number];

/** Returns whether browsers take the host for this machine, which needs no TLS. */
const isThisMachine = (hostname: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Returns whether an address is of this machine, and so not reached from another one. */
export const isLocal = (url: string): boolean => isThisMachine(new URL(url).hostname);

/** Returns what browsers withhold from pages of this address; nothing if it is HTTPS, or of this machine. */
export const withheldAt = (url: string): readonly WithheldFeature[] =>
  new URL(url).protocol === "https:" || isLocal(url) ? [] : withheldFeatures;

const whatFails =
  "each reload of a page asks for the password again, tabs do not share the sign-in, and copying by a button fails";
const remedy =
  "Serve it by HTTPS (WINDSOCK_TLS=auto, or a reverse proxy), and set WINDSOCK_PUBLIC_URL to that https:// address.";

interface Origin {
  publicUrl: string;
  /** The address that the server listens on. */
  host: string;
}

/** Returns what will not work in browsers, and what to do; undefined if all does. */
export function originFault({ publicUrl, host }: Origin): { what: string; remedy: string } | undefined {
  if (withheldAt(publicUrl).length > 0)
    return { what: `Browsers take ${publicUrl} for insecure, since it is plain HTTP: ${whatFails}.`, remedy };
  const isReachable = !isThisMachine(host.includes(":") ? `[${host}]` : host);
  if (!(isReachable && isLocal(publicUrl))) return undefined;
  const what = `The server listens on ${host}, but its public address is ${publicUrl}: on other computers ${whatFails}, and links in mails lead nowhere.`;
  return { what, remedy };
}

/** As `originFault`, in one text. */
export function originWarning(origin: Origin): string | undefined {
  const fault = originFault(origin);
  return fault && `${fault.what} ${fault.remedy}`;
}
