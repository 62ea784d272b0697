/** RFC 6750, 2.1. The scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]{1,4096}=*)$/i;

/** Returns the token of `Authorization: Bearer …`, if the header has that format. */
export const bearerToken = (request: Request): string | undefined =>
  BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
