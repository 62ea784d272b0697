import { readFile } from "node:fs/promises";
import { Problem } from "../../core/errors.ts";
import { messageOf } from "../../core/system-error.ts";
import { identitiesIn } from "./age.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Checks before a long work that a file opens an encrypted backup: otherwise each of its databases would be said to be damaged.
 *
 * @throws BAD_REQUEST it does not, with a message for the operator
 */
export async function requireIdentity({ recipient }: Pick<Manifest, "recipient">, path: string): Promise<void> {
  if (recipient === null) return;
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Problem("BAD_REQUEST", `The identity can't be read. ${messageOf(cause, path)}`, { cause });
  });
  const identities = identitiesIn(text);
  if (identities.length === 0) throw new Problem("BAD_REQUEST", `${path} has no identity of age (AGE-SECRET-KEY-…).`);
  const { identityToRecipient } = await import("age-encryption");
  for (const identity of identities) {
    const own = await identityToRecipient(identity).catch((cause: unknown) => {
      throw new Problem("BAD_REQUEST", `${path} has an identity of age that is damaged.`, { cause });
    });
    if (own === recipient) return;
  }
  throw new Problem(
    "BAD_REQUEST",
    `The identity in ${path} does not open the backup: it is encrypted to ${recipient}.`,
  );
}
