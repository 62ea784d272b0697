/**
 * Hashes and checks passwords with Argon2id on the library's own threads, a few at a time: each takes 19 MiB, and a
 * flood of logins must cost neither the memory nor the event loop.
 */
import { availableParallelism } from "node:os";
import * as argon2id from "@node-rs/argon2";
import { Problem } from "../../../core/errors.ts";
import type { Log } from "../../../http/request-log.ts";
import { isWeaker, type PasswordCost } from "./password-hash.ts";

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. Argon2id is the library's default. */
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface PasswordsOptions {
  cost?: PasswordCost;
  /** How many are computed at once: by default one core is left to everybody else. */
  concurrency?: number;
  /** How many may wait for their turn. */
  maxWaiting?: number;
  log?: Pick<Log, "warn">;
  /** What computes; for tests, which count. */
  argon2?: Pick<typeof argon2id, "hash" | "verify">;
}

export interface Passwords {
  /** The hash in PHC form, its salt and cost included. @throws RATE_LIMITED when too many are waiting */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the one that was hashed. Without a hash, because there is no such account or it has no
   * password, it computes one all the same: the time then tells nobody. Nor does that of a hash that cost less than
   * today's: one of today's is computed beside it. What is no Argon2 hash at all no password is right for.
   *
   * @throws RATE_LIMITED when too many are waiting
   */
  verify(hashed: string | null | undefined, password: string): Promise<boolean>;
  /** Whether a hash is weaker than one that would be made today, and is to be replaced when its password is at hand. */
  isOutdated(hashed: string): boolean;
}

/** One password typed on two keyboards may arrive composed or decomposed: NIST SP 800-63B advises NFKC before hashing. */
const normalized = (password: string) => password.normalize("NFKC");

export function createPasswords({
  cost = owaspCost,
  concurrency = Math.max(1, Math.min(4, availableParallelism() - 1)),
  maxWaiting = 100,
  log,
  argon2 = argon2id,
}: PasswordsOptions = {}): Passwords {
  const inTurn = turns(concurrency, maxWaiting);
  // Made at once, since the first unknown address must not take twice the time.
  const nobodys = argon2.hash(crypto.randomUUID(), cost);
  const passTime = async (password: string) => argon2.verify(await nobodys, password);
  const isRight = unlessUnreadable(argon2.verify, log);

  return {
    hash: (password) => inTurn(() => argon2.hash(normalized(password), cost)),
    verify: (hashed, password) =>
      inTurn(async () => {
        const given = normalized(password);
        const [right] = await Promise.all([
          hashed == null ? false : isRight(hashed, given),
          hashed == null || isWeaker(hashed, cost) ? passTime(given) : undefined,
        ]);
        return right;
      }),
    isOutdated: (hashed) => isWeaker(hashed, cost),
  };
}

/** A hash that came from elsewhere is no reason for a 500, which would tell everybody that the address has an account. */
function unlessUnreadable(verify: typeof argon2id.verify, log: Pick<Log, "warn"> | undefined) {
  let isKnown = false;
  return async (hashed: string, password: string): Promise<boolean> => {
    try {
      return await verify(hashed, password);
    } catch {
      // What was thrown may quote the hash.
      if (!isKnown) log?.warn({}, "The hash of an account's password can't be read: no password is right for it.");
      isKnown = true;
      return false;
    }
  };
}

/** Lets `atOnce` pieces of work run, `maxWaiting` more wait in line, and refuses the rest. */
function turns(atOnce: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) {
        throw new Problem("RATE_LIMITED", "Too many sign-ins at once. Try again in a moment.", { retryAfter: 1 });
      }
      // Whoever wakes us hands us its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
