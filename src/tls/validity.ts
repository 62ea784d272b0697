import { certificatePaths, type TlsSettings } from "./settings.ts";

/**
 * Returns from when and until when the certificate of HTTPS is valid.
 *
 * @returns null: there is no certificate yet. Undefined: this server serves no HTTPS. @throws its files can't be used
 */
export async function validityOf(config: {
  tls: TlsSettings | undefined;
  dataDir: string;
}): Promise<{ from: Date; until: Date } | null | undefined> {
  if (config.tls === undefined) return undefined;
  const { findCertificate } = await import("./certificate.ts");
  const found = await findCertificate(certificatePaths(config.tls, config.dataDir));
  return found ? { from: found.from, until: found.until } : null;
}
