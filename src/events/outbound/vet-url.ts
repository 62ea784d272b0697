import { seconds } from "../../core/clock.ts";
import { type Issue, invalid, issue } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { addressPolicy, literalOf } from "./addresses.ts";
import { limitLookups } from "./limit-lookups.ts";
import { type Resolve, systemResolve } from "./resolve.ts";

/**
 * Checks an endpoint's URL when it is saved. Every attempt checks the address again, since a name may resolve to another
 * address by then.
 *
 * @param orgId the endpoint's organization; each organization looks up one name at a time
 * @returns the URL in the form that is dialled
 * @throws VALIDATION_ERROR with one issue, for `url`
 */
export type VetUrl = (url: string, orgId: OrgId) => Promise<string>;

interface VetUrlOptions {
  /** CIDRs of the operator's exceptions. */
  allow: readonly string[];
  resolve?: Resolve;
  /** How long a save waits for a lookup and for its turn, in milliseconds. */
  timeout?: number;
}

/** Ports that browsers block (https://fetch.spec.whatwg.org/#port-blocking): services other than HTTP use them. */
const blockedPorts = new Set(
  [
    [0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
    [110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531],
    [532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060],
    [5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ].flat(),
);

const maxLength = 2048;

/** Concurrent lookups of all organizations. */
const maxLookups = 16;

export function createVetUrl({ allow, resolve = systemResolve, timeout = seconds(8) }: VetUrlOptions): VetUrl {
  const policy = addressPolicy(allow);
  const lookUp = limitLookups(resolve, maxLookups);

  return async (text, orgId) => {
    const refuse = (code: Issue["code"], message: string) => invalid({ path: "url", code, message });

    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) throw refuse("invalid_url", "Must be a URL such as https://example.com/webhooks.");
    if (url.href.length > maxLength) throw invalid(issue("url", "too_long", { max: maxLength }));
    if (url.protocol !== "https:") throw refuse("not_https", "Must be an https URL.");
    if (url.username !== "" || url.password !== "")
      throw refuse("credentials", "Must not contain a user name or a password.");
    if (url.port !== "" && blockedPorts.has(Number(url.port)))
      throw refuse("blocked_port", `Port ${url.port} is reserved for another protocol. Use another port.`);

    const literal = literalOf(url.hostname);
    const addresses = literal === undefined ? await lookUp(url.hostname, { orgId, timeout }) : [literal];
    // One message for both: two would reveal which names the internal network knows.
    if (addresses.length === 0 || addresses.some((address) => policy(address) === "refused"))
      throw refuse(
        "refused_address",
        "The host has no address, or one of its addresses is not public. The operator can allow private addresses with WINDSOCK_WEBHOOK_ALLOW.",
      );
    // The fragment is never sent.
    url.hash = "";
    return url.href;
  };
}
