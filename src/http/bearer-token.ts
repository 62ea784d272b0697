/** RFC 6750, 2.1; RFC 9110 makes the scheme's case irrelevant. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]{1,4096}=*)$/i;

/** The token of `Authorization: Bearer …`, if the header has that form. */
export const bearerToken = (request: Request): string | undefined =>
  BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
