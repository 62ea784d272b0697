/**
 * The refresh token as a cookie. It is the only credential that travels by itself, so it counts only in requests that a
 * page of this very origin made: `SameSite=Strict` keeps other sites out, and this check the other origins of our site.
 */
import { cookieNamed, secureUnlessLocal } from "../../../http/cookies.ts";

const NAME = "svc_refresh";

export interface RefreshCookie {
  /** The value of a `Set-Cookie` that puts the token there. */
  set(token: string, maxAgeSeconds: number): string;
  /** The value of a `Set-Cookie` that takes it away. */
  clear(): string;
  /** Whether the request says that another site, or another origin of ours, made it. */
  isForeign(request: Request): boolean;
  /** Whether a token came along, usable or not. */
  isIn(request: Request): boolean;
  /** Why the cookie of a request does not count, for whoever has to mend that. */
  whyNot(request: Request): string | undefined;
  /** The token that came along, if the request may use it. */
  read(request: Request): string | undefined;
}

/** @param publicUrl where the installation is reached; without TLS there, only on the machine itself, `Secure` is left out */
export function createRefreshCookie(publicUrl: string): RefreshCookie {
  const { origin } = new URL(publicUrl);
  const secure = secureUnlessLocal(publicUrl);
  const write = (value: string, maxAge: number) =>
    `${NAME}=${value}; Max-Age=${maxAge}; Path=/auth; HttpOnly; SameSite=Strict${secure}`;

  return {
    set: write,
    clear: () => write("", 0),
    isForeign: (request) => saysWhereFrom(request) && !isSameOrigin(request, origin),
    whyNot: (request) => (isSameOrigin(request, origin) ? undefined : foreign(origin)),
    isIn: (request) => cookieNamed(request, NAME) !== undefined,
    read: (request) => (isSameOrigin(request, origin) ? cookieNamed(request, NAME) : undefined),
  };
}

/** Browsers send `Sec-Fetch-Site`, which no script can forge; those that don't yet, send `Origin` with a POST. */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  return request.headers.get("origin") === origin;
}

const foreign = (origin: string) =>
  `The cookie counts only in requests from pages of this very origin, and this one does not come from ${origin} (WINDSOCK_PUBLIC_URL): serve the page from there.`;

/** Browsers do; what is no browser has no cookie that a page could misuse. */
const saysWhereFrom = ({ headers }: Request) => headers.has("sec-fetch-site") || headers.has("origin");
