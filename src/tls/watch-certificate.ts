/** Looks every second whether the files of a certificate have changed, as an authority's program changes them: links, too. */
import { repeat } from "../core/async.ts";
import { messageOf } from "../core/system-error.ts";
import { type Certificate, findCertificate, stateOf } from "./certificate.ts";
import type { CertificatePaths } from "./settings.ts";

interface WatchOptions {
  paths: CertificatePaths;
  /** What the files were when the certificate in use was read. */
  state: string;
  /** Takes a certificate into use. */
  use(certificate: Certificate): Promise<void> | void;
  log: Record<"info" | "warn" | "error", (details: object, message: string) => void>;
  /** Milliseconds. */
  every?: number;
}

/** A pair that can't be used changes nothing, and is logged once. */
export function watchCertificate({ paths, state, use, log, every }: WatchOptions) {
  let seen = state;
  let inUse: string | undefined;
  let problem: string | undefined;
  const look = async () => {
    const now = await stateOf(paths);
    if (now === seen) return;
    try {
      const certificate = await findCertificate(paths);
      if (certificate === undefined)
        throw new Error(`${[...new Set([paths.cert, paths.key])].join(" or ")} is missing.`);
      const { cert, key, until } = certificate;
      if (cert + key !== inUse || problem !== undefined) {
        await use(certificate);
        log.info({ path: paths.cert, valid_until: until }, "HTTPS uses a new certificate.");
      }
      // Of before it was read: what changes meanwhile is another state, though the certificate may be the same.
      seen = now;
      inUse = cert + key;
      problem = undefined;
    } catch (err) {
      const message = messageOf(err);
      // It is tried again each second.
      if (message !== problem) log.warn({ err }, `The certificate can't be used. ${message}`);
      problem = message;
    }
  };
  return repeat(look, { log, ...(every !== undefined && { every }) });
}
