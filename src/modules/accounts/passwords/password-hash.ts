/** What a stored hash cost, read from its PHC form: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */

/** What one hash costs. Memory in KiB. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

/**
 * Whether guessing costs less by this hash than by one of today's: less memory, or less memory times passes. More memory
 * makes up for fewer passes and not the other way round. Any other algorithm is weaker.
 */
export function isWeaker(hashed: string, today: PasswordCost): boolean {
  const [, memory, passes] = PHC.exec(hashed) ?? [];
  if (memory === undefined || passes === undefined) return true;
  const cost = Number(memory) * Number(passes);
  return Number(memory) < today.memoryCost || cost < today.memoryCost * today.timeCost;
}
