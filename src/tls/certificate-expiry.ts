import { certificatePaths, type TlsSettings } from "./settings.ts";

/** @returns null: there is no certificate yet. Undefined: this server serves no HTTPS. @throws its files can't be used */
export async function certificateExpiry(config: {
  tls: TlsSettings | undefined;
  dataDir: string;
}): Promise<Date | null | undefined> {
  if (config.tls === undefined) return undefined;
  const { findCertificate } = await import("./certificate.ts");
  return (await findCertificate(certificatePaths(config.tls, config.dataDir)))?.until ?? null;
}
