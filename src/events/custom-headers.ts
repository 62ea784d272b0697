/** Headers that a school adds to each delivery to an endpoint. Their values may be secrets, so they are stored sealed. */
import { seal, unseal } from "../core/crypto.ts";
import type { EndpointId } from "../core/ids.ts";

export type CustomHeaders = Readonly<Record<string, string>>;

/** Shown instead of a value. */
export const mask = "***";

export const masked = (headers: CustomHeaders): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, mask]));

/** @param dataKey the tenant's, see `Tenant.dataKey` */
export const sealHeaders = (dataKey: Buffer, endpointId: EndpointId, headers: CustomHeaders): string =>
  seal(dataKey, Buffer.from(JSON.stringify(headers)), sealedFor(endpointId));

/**
 * Returns the stored headers, except those whose names have been reserved since.
 *
 * @throws when the headers were sealed under another key, or for another endpoint
 */
export function openHeaders(dataKey: Buffer, endpointId: EndpointId, sealed: string): CustomHeaders {
  const headers: CustomHeaders = JSON.parse(unseal(dataKey, sealed, sealedFor(endpointId)).toString());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isReserved(name)));
}

const sealedFor = (endpointId: EndpointId) => `webhook headers ${endpointId}`;

/** Names set by Windsock or the connection (RFC 9110, 7.6.1), and those that change how a receiver reads the body. */
export const reserved: ReadonlySet<string> = new Set([
  ..."host content-length content-type content-encoding user-agent expect date".split(" "),
  ..."connection keep-alive proxy-connection te trailer transfer-encoding upgrade".split(" "),
  ..."webhook-id webhook-timestamp webhook-signature traceparent tracestate".split(" "),
  ..."proxy-authenticate proxy-authorization proxy-authentication-info".split(" "),
]);

/** A token (RFC 9110, 5.6.2). */
export const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export const isReserved = (name: string): boolean => {
  const lower = name.toLowerCase();
  return reserved.has(lower) || lower.startsWith("x-svc-");
};
