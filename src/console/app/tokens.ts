/**
 * The tokens of the session. The access token lives in memory. The refresh token is a cookie that scripts can't read; where the browser
 * keeps no such cookie, on plain HTTP, it lives in memory, too, and a reload ends the session.
 */
import type { TokenPair } from "../api/operations.ts";
import { type Problem, problemOf, Unreachable } from "../api/problem.ts";

/** Seconds before its end at which an access token is renewed. */
const early = 30;

interface TokensDeps {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds, from any start. */
  now(): number;
  /** Runs one piece of work at a time over all tabs of the browser. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface Tokens {
  /** Whether the refresh token goes into a cookie. */
  readonly inCookie: boolean;
  /** Returns the access token, renewed if it is about to expire; `undefined` without a session. @throws Unreachable */
  current(): Promise<string | undefined>;
  /** Renews the session. Returns `undefined` if it has ended. @throws Unreachable */
  renew(rejected?: string): Promise<string | undefined>;
  take(pair: TokenPair): void;
  forget(): void;
  /** The refresh token in memory, for the sign-out. */
  readonly refreshToken: string | undefined;
}

export function createTokens({ fetch, now, alone }: TokensDeps, inCookie: boolean): Tokens {
  let access: { token: string; until: number } | undefined;
  let refreshToken: string | undefined;
  let renewing: Promise<string | undefined> | undefined;

  const take = (pair: TokenPair) => {
    access = { token: pair.access_token, until: now() + (pair.expires_in - early) * 1000 };
    refreshToken = pair.refresh_token;
  };
  const forget = () => {
    access = undefined;
    refreshToken = undefined;
  };

  const refresh = async (): Promise<string | undefined> => {
    if (!inCookie && refreshToken === undefined) return undefined;
    const before = access;
    let response: Response;
    try {
      response = await fetch("/auth/refresh", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        credentials: "same-origin",
        body: JSON.stringify(refreshToken === undefined ? { cookie: true } : { refresh_token: refreshToken }),
      });
    } catch (cause) {
      throw new Unreachable(cause);
    }
    if (response.ok && response.status !== 204) {
      take(await response.json());
      return access?.token;
    }
    const problem = response.ok ? undefined : await problemOf(response);
    if (problem && !isRefusal(problem)) throw problem;
    // Somebody may have signed in meanwhile: what was refused is the session of before.
    if (access === before) forget();
    return access?.token;
  };

  const renew = (rejected?: string): Promise<string | undefined> => {
    if (rejected !== undefined && access !== undefined && access.token !== rejected)
      return Promise.resolve(access.token);
    renewing ??= alone(refresh).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  return {
    inCookie,
    take,
    forget,
    renew,
    current: async () => (access === undefined ? undefined : access.until > now() ? access.token : renew(access.token)),
    get refreshToken() {
      return refreshToken;
    },
  };
}

const isRefusal = ({ status }: Problem): boolean => status === 400 || status === 401 || status === 403;
