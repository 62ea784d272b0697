/**
 * Hashes and checks passwords with Argon2id on the library's own threads, a few concurrently: each takes 19 MiB, and a
 * flood of logins must neither exhaust the memory nor block the event loop.
 */
import { availableParallelism } from "node:os";
import * as argon2id from "@node-rs/argon2";
import { networkOf } from "../../../http/client-address.ts";
import type { Log } from "../../../http/request-log.ts";
import type { ClientInfo } from "../../../http/request-state.ts";
import { fairQueue } from "./fair-queue.ts";
import { isWeaker, type PasswordCost, unmatchableHash } from "./password-hash.ts";

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. Argon2id is the library's default. */
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface PasswordsOptions {
  cost?: PasswordCost;
  /** The number of concurrent computations. The default leaves one core to other work. */
  concurrency?: number;
  /** The maximum length of the queue. */
  maxWaiting?: number;
  log?: Pick<Log, "warn">;
  /** The implementation; tests count its calls. */
  argon2?: Pick<typeof argon2id, "hash" | "verify">;
}

/** The queue is shared by all clients, fairly: see `fairQueue`. */
export interface PasswordService {
  /** Returns the functions for the requests of one client. */
  for(client: ClientInfo): Passwords;
}

export interface Passwords {
  /** Returns the hash in PHC format, with its salt and cost. @throws RATE_LIMITED the queue is full */
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password matches the hash. The time must not reveal whether an account has a password: without a
   * hash, and with one that is weaker than the current cost, a dummy hash of the current cost is verified as well. No
   * password matches a text that is not an Argon2 hash.
   *
   * @throws RATE_LIMITED the queue is full
   */
  verify(hashed: string | null | undefined, password: string): Promise<boolean>;
  /** Returns whether a hash is weaker than the current cost. The next login replaces it. */
  isOutdated(hashed: string): boolean;
}

/** Keyboards send the same character composed or decomposed: NIST SP 800-63B advises NFKC before hashing. */
const normalized = (password: string) => password.normalize("NFKC");

export function createPasswords({
  cost = owaspCost,
  concurrency = Math.max(1, Math.min(4, availableParallelism() - 1)),
  maxWaiting = 100,
  log,
  argon2 = argon2id,
}: PasswordsOptions = {}): PasswordService {
  const queue = fairQueue({ concurrency, maxWaiting });
  const dummyHash = unmatchableHash(cost);
  const verifyDummy = (password: string) => argon2.verify(dummyHash, password);
  const matches = tolerantOf(argon2.verify, log);

  const forNetwork = (network: string): Passwords => ({
    hash: (password) => queue(network, () => argon2.hash(normalized(password), cost)),
    verify: (hashed, password) =>
      queue(network, async () => {
        const given = normalized(password);
        const [isCorrect] = await Promise.all([
          hashed == null ? false : matches(hashed, given),
          hashed == null || isWeaker(hashed, cost) ? verifyDummy(given) : undefined,
        ]);
        return isCorrect;
      }),
    isOutdated: (hashed) => isWeaker(hashed, cost),
  });
  return { for: (client) => forNetwork(networkOf(client)) };
}

/** Treats an unreadable hash, such as an imported one, as a wrong password: a 500 would reveal that the account exists. */
function tolerantOf(verify: typeof argon2id.verify, log: Pick<Log, "warn"> | undefined) {
  let isLogged = false;
  return async (hashed: string, password: string): Promise<boolean> => {
    try {
      return await verify(hashed, password);
    } catch {
      // The error is not logged: it may quote the hash.
      if (!isLogged)
        log?.warn(
          {},
          "The password hash of an account is unreadable, so no password matches it. Issue a reset link for the account.",
        );
      isLogged = true;
      return false;
    }
  };
}
