/** What travels by itself: how a cookie is found in a request, and when it must not travel in the clear. */

/**
 * The value of a cookie that came along; `undefined` when there is none, nothing in it, or more than one of the name:
 * another site under the same domain can put one beside ours, and which of them counts is not for it to say.
 */
export function cookieNamed(request: Request, wanted: string): string | undefined {
  const values = (request.headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const [name, ...value] = pair.trim().split("=");
    return name === wanted ? [value.join("=")] : [];
  });
  return values.length === 1 ? values[0] || undefined : undefined;
}

/** `; Secure`, but on the machine itself, which has no TLS. @param publicUrl where the installation is reached */
export function secureUnlessLocal(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]" ? "" : "; Secure";
}
