/** What the port of plain HTTP answers: it redirects to HTTPS, and proves to the authority who has the name. */

/** RFC 8555, 8.3 */
const challenges = "/.well-known/acme-challenge/";
const token = /^[A-Za-z0-9_-]{16,256}$/;

interface HttpPort {
  /** Whether HTTPS is served. */
  isSecure(): boolean;
  publicUrl: string;
  /** The thumbprint of the account at the authority, with which a challenge is answered; undefined: there is none. */
  thumbprint?: (() => Promise<string | undefined>) | undefined;
}

/**
 * The answer to a challenge is made of its token and the account's key, so nothing has to be remembered of orders: a standby
 * answers, too. For another account, it proves nothing.
 */
export function httpPortResponses({ isSecure, publicUrl, thumbprint }: HttpPort) {
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const reads = request.method === "GET" || request.method === "HEAD";
    if (reads && pathname === "/health") return text("ok");
    if (reads && thumbprint && pathname.startsWith(challenges)) {
      const asked = pathname.slice(challenges.length);
      const account = token.test(asked) ? await thumbprint() : undefined;
      return account === undefined ? text("There is no such challenge.", 404) : text(`${asked}.${account}`);
    }
    if (!isSecure()) return text(noCertificate, 503, { "retry-after": "60" });
    return text("", 308, { location: `${publicUrl}${pathname}${search}` });
  };
}

const noCertificate =
  "This server has no certificate for HTTPS yet. It is asking for one. If this takes longer than some minutes, its log says why.\n";

const text = (body: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(body === "" ? null : body, {
    status,
    headers: {
      "content-type": "text/plain;charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...headers,
    },
  });
