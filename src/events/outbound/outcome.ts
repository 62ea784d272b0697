/** How an attempt ended, and what its failures are called. */

/**
 * Why an attempt failed. `timeout`: the deadline for all of it passed. `dns`: the name has no address.
 * `refused_address`: it has one that is not public. `connect`: nobody answers there, hung up, or said 1xx
 * without end. `tls`: no secure
 * connection, or not with whom it should be. `redirect`, `status`: the answer was a 3xx, or no 2xx either.
 * `secret`: its signing secret can't be read here.
 */
export const errorClasses = [
  "timeout",
  "dns",
  "refused_address",
  "connect",
  "tls",
  "redirect",
  "status",
  "secret",
] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** How one attempt ended: a success has no error class. Status, headers and body are there if an answer came. */
export interface Outcome {
  errorClass: ErrorClass | null;
  status: number | null;
  /** 4 KiB of them at most, without cookies; null for addresses on the operator's allow list, and so is the body. */
  headers: Record<string, string> | null;
  /** The first 16 KiB. */
  body: string | null;
  durationMs: number;
}

export type Answer = Omit<Outcome, "durationMs">;

export const noAnswer = { status: null, headers: null, body: null };

/** Why we would not connect. */
export class Refused extends Error {
  readonly errorClass: ErrorClass;
  constructor(errorClass: ErrorClass) {
    super(errorClass);
    this.errorClass = errorClass;
  }
}

/** What an answer's status means. */
export function judge(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** What OpenSSL, BoringSSL and rustls call a connection that is not secure. */
const tlsFault = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER|HOSTNAME|EPROTO|handshake|certificate|alert/i;

/** What an error means. Runtimes hand one of `lookup` on as it is, or wrapped. */
export function classify(error: unknown): ErrorClass {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof Refused) return link.errorClass;
    const code = "code" in link && typeof link.code === "string" ? link.code : "";
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
    if (tlsFault.test(code) || (code === "" && tlsFault.test(link.message))) return "tls";
  }
  return "connect";
}
