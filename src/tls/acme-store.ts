/**
 * The files of ACME, in the folder `tls` of the data directory: the account's key, the certificate with its key, and how far the
 * renewal is. They are plain, as `secret.key` is, and only their owner can read them. They are not in backups: a new certificate is
 * obtained where a backup is restored.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { placeFile } from "../storage/place-file.ts";
import { privateDirectory } from "../storage/private-files.ts";
import { type AccountKey, accountKeyOf, newKey } from "./acme/account-key.ts";
import { type Certificate, findCertificate, parseCertificate } from "./certificate.ts";
import { type AcmeTls, acmeFolder, certificatePaths } from "./settings.ts";

const State = z.object({
  /** The authority that issued the certificate. */
  directory: z.string().nullable(),
  /** Attempts since the last certificate. An attempt counts before it is made, so that it does after a crash. */
  failures: z.number(),
  /** An instant. */
  retry_at: z.string().nullable(),
  /** Why the last attempt failed, in sentences for the operator. */
  problem: z.string().nullable(),
  order: z.object({ directory: z.string(), domain: z.string(), url: z.string(), key: z.string() }).nullable(),
});
export type RenewalState = z.output<typeof State>;

const stateAtFirst: RenewalState = { directory: null, failures: 0, retry_at: null, problem: null, order: null };

export function acmeStore(tls: AcmeTls, dataDir: string) {
  const folder = acmeFolder(dataDir);
  const statePath = join(folder, "renewal.json");
  const keyPath = join(folder, "account.pem");
  const paths = certificatePaths(tls, dataDir);
  const write = async (path: string, text: string) => {
    await privateDirectory(folder);
    await placeFile(path, Buffer.from(text));
  };
  const findAccountKey = async (): Promise<AccountKey | undefined> => {
    const pem = await textOf(keyPath);
    return pem === undefined ? undefined : accountKeyOf(pem);
  };
  return {
    findAccountKey,
    async accountKey(): Promise<AccountKey> {
      if ((await findAccountKey()) === undefined) await write(keyPath, newKey());
      return accountKeyOf(await readFile(keyPath, "utf8"));
    },
    /** @returns undefined if there is none that can be used */
    findCertificate: (): Promise<Certificate | undefined> => findCertificate(paths).catch(() => undefined),
    async putCertificate({ cert, key }: { cert: string; key: string }): Promise<Certificate> {
      const certificate = parseCertificate({ cert, key }, { cert: "The authority's answer", key: "the order" });
      await write(paths.cert, `${certificate.cert}${certificate.key}`);
      return certificate;
    },
    async state(): Promise<RenewalState> {
      const text = await textOf(statePath);
      // A damaged file is as none: it costs an order at most.
      return State.catch(stateAtFirst).parse(text === undefined ? stateAtFirst : jsonOf(text));
    },
    putState: (state: RenewalState): Promise<void> => write(statePath, `${JSON.stringify(state, null, 2)}\n`),
  };
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
