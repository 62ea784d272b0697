/**
 * Binds a sign-in to the browser it began in, so that nobody can send somebody else through the end of their own
 * sign-in. `Lax` and not `Strict`: the way back from the provider is a navigation from another site.
 */
import { cookieNamed, secureUnlessLocal } from "../../../http/cookies.ts";

const NAME = "svc_oauth";

export interface BrowserCookie {
  /** The value of a `Set-Cookie` that marks the browser. */
  set(mark: string, maxAgeSeconds: number): string;
  /** The value of a `Set-Cookie` that takes the mark away. */
  clear(): string;
  read(request: Request): string | undefined;
}

/** @param publicUrl where the installation is reached */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  const secure = secureUnlessLocal(publicUrl);
  const write = (value: string, maxAge: number) =>
    `${NAME}=${value}; Max-Age=${maxAge}; Path=/auth/oauth; HttpOnly; SameSite=Lax${secure}`;
  return { set: write, clear: () => write("", 0), read: (request) => cookieNamed(request, NAME) };
}
