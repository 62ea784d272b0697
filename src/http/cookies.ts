/** What travels by itself: how a cookie is found in a request, and when it must not travel in the clear. */

/** The value of a cookie that came along; `undefined` when there is none, or nothing in it. */
export function cookieNamed(request: Request, wanted: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, ...value] = pair.trim().split("=");
    if (name === wanted) return value.join("=") || undefined;
  }
  return undefined;
}

/** `; Secure`, but on the machine itself, which has no TLS. @param publicUrl where the installation is reached */
export function secureUnlessLocal(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]" ? "" : "; Secure";
}
