import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";

/**
 * The certificate authorities (PEM) that webhook receivers may have: the public ones, and the operator's own.
 *
 * @param path of the operator's own, a PEM file
 * @returns undefined, which means the public ones, without a path
 * @throws when the file can't be read, or holds anything but certificates
 */
export async function webhookAuthorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const own = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Error(`WINDSOCK_WEBHOOK_CA can't be read: ${path}`, { cause });
  });
  if (!isCertificates(own)) throw new Error(`WINDSOCK_WEBHOOK_CA holds no certificates in PEM form: ${path}`);
  return [...rootCertificates, own].join("\n");
}

/** Whether a text is one PEM certificate after another. TLS would leave out what it can't read, without a word. */
function isCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.every((block) => new X509Certificate(block)) && blocks.length > 0;
  } catch {
    return false;
  }
}
