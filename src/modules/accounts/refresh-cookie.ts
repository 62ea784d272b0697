/**
 * The refresh token as a cookie. It is the only credential that travels by itself, so it counts only in requests that a
 * page of this very origin made: `SameSite=Strict` keeps other sites out, and this check the other origins of our site.
 */
const NAME = "svc_refresh";

export interface RefreshCookie {
  /** The value of a `Set-Cookie` that puts the token there. */
  set(token: string, maxAgeSeconds: number): string;
  /** The value of a `Set-Cookie` that takes it away. */
  clear(): string;
  /** Whether a token came along, usable or not. */
  isIn(request: Request): boolean;
  /** The token that came along, if the request may use it. */
  read(request: Request): string | undefined;
}

/** @param publicUrl where the installation is reached; without TLS there, only on the machine itself, `Secure` is left out */
export function createRefreshCookie(publicUrl: string): RefreshCookie {
  const { origin, hostname } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  const write = (value: string, maxAge: number) =>
    `${NAME}=${value}; Max-Age=${maxAge}; Path=/auth; HttpOnly; SameSite=Strict${isLocal ? "" : "; Secure"}`;

  return {
    set: write,
    clear: () => write("", 0),
    isIn: (request) => cookieOf(request) !== undefined,
    read: (request) => (isSameOrigin(request, origin) ? cookieOf(request) : undefined),
  };
}

/** Browsers send `Sec-Fetch-Site`, which no script can forge; those that don't yet, send `Origin` with a POST. */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  return request.headers.get("origin") === origin;
}

function cookieOf(request: Request): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, ...value] = pair.trim().split("=");
    if (name === NAME) return value.join("=") || undefined;
  }
  return undefined;
}
