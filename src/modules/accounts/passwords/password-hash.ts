/** The cost of a stored hash, read from its PHC format: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
import { randomBytes } from "node:crypto";

/** The cost of one hash. Memory in KiB. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

/**
 * Returns whether a guess costs less with this hash than with the current cost: less memory, or less memory times passes.
 * More memory compensates for fewer passes, but not the reverse. Any other algorithm is weaker.
 */
export function isWeaker(hashed: string, current: PasswordCost): boolean {
  const [, memory, passes] = PHC.exec(hashed) ?? [];
  if (memory === undefined || passes === undefined) return true;
  const cost = Number(memory) * Number(passes);
  return Number(memory) < current.memoryCost || cost < current.memoryCost * current.timeCost;
}

/**
 * Returns a hash of this cost that is random, not of a password: it takes as long to verify as any other, and is made at once. No
 * password matches it.
 */
export function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${random(16)}$${random(32)}`;
}
