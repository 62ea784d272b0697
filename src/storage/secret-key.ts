import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "../core/crypto.ts";
import { placeFile } from "./place-file.ts";

/**
 * Returns the installation's secret: `configured`, or else the content of `secret.key` in the data directory, which the
 * first start creates with mode 0600.
 *
 * @throws the directory has data but no secret: a new secret could not unseal it
 */
export async function loadSecret(directory: string, configured: Buffer | undefined): Promise<Buffer> {
  const found = await findSecret(directory, configured);
  if (found !== undefined) return found;
  const path = secretPath(directory);
  if (await exists(join(directory, "control.db"))) {
    throw new Error(
      `${path} is missing, but the directory has data. Restore the file, or set WINDSOCK_SECRET_KEY to its content.`,
    );
  }
  const secret = randomBytes(48).toString("base64url");
  await placeFile(path, Buffer.from(`${secret}\n`));
  return Buffer.from(secret);
}

export const secretName = "secret.key";
const secretPath = (directory: string) => join(directory, secretName);

/** Returns the installation's secret, if there is one. @throws it is damaged */
export async function findSecret(directory: string, configured: Buffer | undefined): Promise<Buffer | undefined> {
  if (configured !== undefined) return configured;
  const path = secretPath(directory);
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return kept === undefined ? undefined : checked(path, Buffer.from(kept.trim()));
}

/** Rejects a truncated file: an empty secret would be public. */
function checked(path: string, secret: Buffer): Buffer {
  if (secret.length >= 32) return secret;
  throw new Error(`${path} is damaged: it has less than 32 bytes. Restore the file from a backup.`);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
