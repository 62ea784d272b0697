/**
 * Binds a sign-in to the browser that started it: an attacker cannot make another browser finish the attacker's sign-in.
 * `Lax` and not `Strict`: the redirect from the provider is a navigation from another site.
 */
import { cookieNamed, secureUnlessLocal } from "../../../http/cookies.ts";

const NAME = "svc_oauth";

export interface BrowserCookie {
  /** Returns the `Set-Cookie` that stores the token. */
  set(token: string, maxAgeSeconds: number): string;
  /** Returns the `Set-Cookie` that deletes the token. */
  clear(): string;
  read(request: Request): string | undefined;
}

/** @param publicUrl the address of the installation */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  const secure = secureUnlessLocal(publicUrl);
  const write = (value: string, maxAge: number) =>
    `${NAME}=${value}; Max-Age=${maxAge}; Path=/auth/oauth; HttpOnly; SameSite=Lax${secure}`;
  return { set: write, clear: () => write("", 0), read: (request) => cookieNamed(request, NAME) };
}
