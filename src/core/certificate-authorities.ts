import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { messageOf } from "./system-error.ts";

/**
 * Returns the certificate authorities (PEM) to trust: the public ones and the operator's own.
 *
 * @param variable the variable that has the path
 * @param path     PEM file of the operator's own
 * @returns undefined without a path: the public ones
 * @throws when the file can't be read, or holds anything except certificates
 */
export async function certificateAuthorities(variable: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const own = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Error(`${variable}: ${messageOf(cause, path)}`, { cause });
  });
  if (!isCertificates(own)) throw new Error(`${variable} holds no certificates in PEM form: ${path}`);
  // An import would read and parse them at each start.
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, own].join("\n");
}

/** Returns whether a text is a list of PEM certificates. TLS ignores those that it can't read, without an error. */
function isCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.every((block) => new X509Certificate(block)) && blocks.length > 0;
  } catch {
    return false;
  }
}
