/** Reads cookies, and decides whether they are `Secure`. */
import { isLocal } from "../core/secure-origin.ts";

/**
 * Returns the value of a cookie; `undefined` when it is missing, empty or sent more than once: another site under the same
 * domain can add a cookie of the same name.
 */
export function cookieNamed(request: Request, wanted: string): string | undefined {
  const values = (request.headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const [name, ...value] = pair.trim().split("=");
    return name === wanted ? [value.join("=")] : [];
  });
  return values.length === 1 ? values[0] || undefined : undefined;
}

/** Returns `; Secure`, except on localhost, which has no TLS. @param publicUrl the installation's address */
export function secureUnlessLocal(publicUrl: string): string {
  return isLocal(publicUrl) ? "" : "; Secure";
}
