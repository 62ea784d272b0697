/**
 * The refresh token as a cookie. Browsers send it automatically, so it is accepted only in requests of pages of this
 * origin: `SameSite=Strict` excludes other sites, and this check excludes other origins of the same site.
 */
import { cookieNamed, secureUnlessLocal } from "../../../http/cookies.ts";

const NAME = "svc_refresh";

export interface RefreshCookie {
  /** Returns the `Set-Cookie` that stores the token. */
  set(token: string, maxAgeSeconds: number): string;
  /** Returns the `Set-Cookie` that deletes the token. */
  clear(): string;
  /** Returns whether the request names another origin as its source. */
  isForeign(request: Request): boolean;
  /** Returns whether the request has the cookie, accepted or not. */
  isPresent(request: Request): boolean;
  /** Returns why the cookie is not accepted, as a message to the developer of the page. */
  rejectionOf(request: Request): string | undefined;
  /** Returns the token, if the request may use it. */
  read(request: Request): string | undefined;
}

/** @param publicUrl the address of the installation; without TLS, allowed on the machine itself only, `Secure` is left out */
export function createRefreshCookie(publicUrl: string): RefreshCookie {
  const { origin } = new URL(publicUrl);
  const secure = secureUnlessLocal(publicUrl);
  const write = (value: string, maxAge: number) =>
    `${NAME}=${value}; Max-Age=${maxAge}; Path=/auth; HttpOnly; SameSite=Strict${secure}`;

  return {
    set: write,
    clear: () => write("", 0),
    isForeign: (request) => namesSource(request) && !isSameOrigin(request, origin),
    rejectionOf: (request) => (isSameOrigin(request, origin) ? undefined : foreign(origin)),
    isPresent: (request) => cookieNamed(request, NAME) !== undefined,
    read: (request) => (isSameOrigin(request, origin) ? cookieNamed(request, NAME) : undefined),
  };
}

/** Browsers send `Sec-Fetch-Site`, which scripts cannot forge. Older ones send `Origin` with a POST. */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  return request.headers.get("origin") === origin;
}

const foreign = (origin: string) =>
  `The cookie is accepted only in requests of pages of ${origin} (WINDSOCK_PUBLIC_URL). Serve the page from there.`;

/** Every browser names it. Other clients have no cookie that a page could misuse. */
const namesSource = ({ headers }: Request) => headers.has("sec-fetch-site") || headers.has("origin");
