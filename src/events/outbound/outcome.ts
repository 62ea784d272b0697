/** The outcome of an attempt, and the classes of its errors. */

/**
 * Why an attempt failed.
 *
 * - `timeout`: the whole attempt took too long
 * - `dns`: the name has no address
 * - `refused_address`: one of its addresses is not public
 * - `connect`: no connection
 * - `tls`: no secure connection, or the certificate is not valid for the host
 * - `no_response`: the receiver closed the connection without a valid response and may have read the request, or it sent too
 *   many interim responses (1xx)
 * - `redirect`: the response is a 3xx
 * - `status`: the response is neither a 2xx nor a 3xx
 * - `secret`: this installation can't unseal the signing secret
 */
export const errorClasses = [
  "timeout",
  "dns",
  "refused_address",
  "connect",
  "tls",
  "no_response",
  "redirect",
  "status",
  "secret",
] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** A success has no error class. Status, headers and body are null without a response. */
export interface Outcome {
  errorClass: ErrorClass | null;
  status: number | null;
  /** At most 4 KiB, without cookies. Null, like the body, for addresses on the operator's allow list. */
  headers: Record<string, string> | null;
  /** The first 16 KiB. */
  body: string | null;
  durationMs: number;
}

export type UntimedOutcome = Omit<Outcome, "durationMs">;

export const noResponse = { status: null, headers: null, body: null };

/** An error of the lookup: the name has no address, or the policy refuses it. */
export class LookupError extends Error {
  readonly errorClass: ErrorClass;
  constructor(errorClass: ErrorClass) {
    super(errorClass);
    this.errorClass = errorClass;
  }
}

/** Returns the error class of a status, null for a success. */
export function classifyStatus(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** Matches the error codes and messages of OpenSSL, BoringSSL and rustls. */
const tlsFault = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER|HOSTNAME|EPROTO|handshake|certificate|alert/i;

/** Returns the error class of a connection error. Some runtimes wrap an error of `lookup`, others do not. */
export function classifyError(error: unknown): ErrorClass {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof LookupError) return link.errorClass;
    const code = "code" in link && typeof link.code === "string" ? link.code : "";
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
    if (tlsFault.test(code) || (code === "" && tlsFault.test(link.message))) return "tls";
  }
  return "connect";
}
