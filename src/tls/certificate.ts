/** Reads a certificate and its key, and checks what a TLS server would not say, or would say in riddles. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { readGiven } from "../core/system-error.ts";
import type { CertificatePaths } from "./settings.ts";

export interface Certificate {
  /** PEM. */
  cert: string;
  key: string;
  from: Date;
  until: Date;
  /** Of the authority, as in the certificate. */
  issuer: string;
  /** Whether it is for this name. */
  isFor(hostname: string): boolean;
}

/** @throws an error with a message for the operator */
export async function readCertificate(paths: CertificatePaths): Promise<Certificate> {
  const cert = await readGiven(paths.cert);
  const key = paths.key === paths.cert ? cert : await readGiven(paths.key);
  return parseCertificate({ cert, key }, paths);
}

/** As `readCertificate`. @returns undefined if there is no file */
export const findCertificate = (paths: CertificatePaths): Promise<Certificate | undefined> =>
  readCertificate(paths).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });

/** @param names of the two, for messages */
export function parseCertificate(pem: { cert: string; key: string }, names: CertificatePaths): Certificate {
  const chain = pem.cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const [leaf] = chain.map((block) => x509Of(block, names.cert));
  if (leaf === undefined) throw new Error(`${names.cert} holds no certificate in PEM form.`);
  const [keyBlock] =
    /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----/.exec(pem.key) ?? [];
  if (keyBlock === undefined) throw new Error(`${names.key} holds no private key in PEM form.`);
  if (!leaf.checkPrivateKey(keyOf(keyBlock, names.key)))
    throw new Error(`The key in ${names.key} is not that of the certificate in ${names.cert}.`);
  return {
    cert: `${chain.join("\n")}\n`,
    key: `${keyBlock}\n`,
    from: new Date(leaf.validFrom),
    until: new Date(leaf.validTo),
    issuer: leaf.issuer.replaceAll("\n", ", "),
    isFor(hostname) {
      const address = hostname.replace(/^\[|\]$/g, "");
      return (isIP(address) === 0 ? leaf.checkHost(hostname) : leaf.checkIP(address)) !== undefined;
    },
  };
}

function x509Of(block: string, name: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    throw new Error(`${name} holds a certificate that can't be read.`, { cause });
  }
}

function keyOf(block: string, name: string): KeyObject {
  try {
    return createPrivateKey(block);
  } catch (cause) {
    throw new Error(`${name} holds a private key that can't be read. It must not have a passphrase.`, { cause });
  }
}

/** Returns a text that is another one when a file was changed or replaced. Also of the targets of links. */
export async function stateOf({ cert, key }: CertificatePaths): Promise<string> {
  const states = await Promise.all(
    [cert, key].map((path) =>
      stat(path).then(
        ({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs].join(" "),
        (error: NodeJS.ErrnoException) => String(error.code),
      ),
    ),
  );
  return states.join(", ");
}
