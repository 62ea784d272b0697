/** What the configuration says about TLS. */
import { join } from "node:path";

export type TlsSettings = FileTls | AcmeTls;

/** With certificates that somebody else renews. */
interface FileTls {
  kind: "files";
  cert: string;
  key: string;
  /** The port of plain HTTP, which redirects to HTTPS; undefined: there is none. */
  httpPort: number | undefined;
}

/** With certificates by ACME (RFC 8555). */
export interface AcmeTls {
  kind: "acme";
  domain: string;
  /** The address of the authority. */
  directory: string;
  email: string | undefined;
  /** Path of a PEM file with certificate authorities to trust for the address above, besides the public ones. */
  ca: string | undefined;
  httpPort: number;
}

export interface CertificatePaths {
  /** PEM: the certificate, and then those between it and its authority. */
  cert: string;
  /** PEM. It may be the same file. */
  key: string;
}

export const acmeFolder = (dataDir: string): string => join(dataDir, "tls");

export function certificatePaths(tls: TlsSettings, dataDir: string): CertificatePaths {
  if (tls.kind === "files") return { cert: tls.cert, key: tls.key };
  // One file, so that the two can't be of different certificates.
  const path = join(acmeFolder(dataDir), "certificate.pem");
  return { cert: path, key: path };
}
