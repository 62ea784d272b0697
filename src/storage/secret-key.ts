import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "../core/crypto.ts";
import { placeFile } from "./tenant-file.ts";

/**
 * The installation's secret: `configured`, else that of `secret.key` in the data directory, which is made on the first
 * run with mode 0600.
 *
 * @throws when there is data already but no secret: a new one could not open what the old one sealed
 */
export async function loadSecret(directory: string, configured: Buffer | undefined): Promise<Buffer> {
  if (configured !== undefined) return configured;
  const path = join(directory, "secret.key");
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (kept !== undefined) return checked(path, Buffer.from(kept.trim()));
  if (await exists(join(directory, "control.db"))) {
    throw new Error(
      `${path} is missing, but there is data here: put the file back, or set WINDSOCK_SECRET_KEY to its content.`,
    );
  }
  const secret = randomBytes(48).toString("base64url");
  await placeFile(path, Buffer.from(`${secret}\n`));
  return Buffer.from(secret);
}

/** An empty file would be a secret that everybody knows. */
function checked(path: string, secret: Buffer): Buffer {
  if (secret.length >= 32) return secret;
  throw new Error(`${path} is damaged: it holds less than 32 bytes. Put the file back from a backup.`);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
