import type { Clock } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import { messageOf } from "../../../core/system-error.ts";
import { certificatePaths, type TlsSettings } from "../../../tls/settings.ts";

interface CertificateSettings {
  tls: TlsSettings | undefined;
  dataDir: string;
  publicUrl: string;
}

const subject = "certificate";
/** The share of the lifetime that is left when a renewal is late: half of what is left when it is due. */
const late = 1 / 6;

/** What `windsock doctor` finds of the certificate with which this server serves HTTPS. */
export async function examineCertificate(
  { tls, dataDir, publicUrl }: CertificateSettings,
  clock: Clock,
): Promise<Finding[]> {
  if (tls === undefined) return [];
  const { findCertificate } = await import("../../../tls/certificate.ts");
  const { acmeStore } = await import("../../../tls/acme-store.ts");
  const { nextAttempt } = await import("../../../tls/renewal.ts");
  const { problem, retry_at } =
    tls.kind === "acme" ? await acmeStore(tls, dataDir).state() : { problem: null, retry_at: null };
  const remedy = problem === null || retry_at === null ? whatToDo[tls.kind] : `${problem} ${nextAttempt(retry_at)}`;
  try {
    const certificate = await findCertificate(certificatePaths(tls, dataDir));
    if (certificate === undefined) return [fault(subject, "There is no certificate, so HTTPS is not served.", remedy)];
    const { from, until, issuer } = certificate;
    const { hostname } = new URL(publicUrl);
    const validity = `valid until ${until.toISOString()}, by ${issuer}`;
    const left = until.getTime() - clock.now().getTime();
    if (left < 0) return [fault(subject, `The certificate has expired: it was ${validity}.`, remedy)];
    if (!certificate.isFor(hostname))
      return [
        fault(subject, `The certificate is not for ${hostname}.`, "Correct WINDSOCK_PUBLIC_URL, or get another one."),
      ];
    if (problem !== null || left < (until.getTime() - from.getTime()) * late)
      return [warning(subject, `The certificate is ${validity}.`, remedy)];
    return [fine(subject, `The certificate is ${validity}.`)];
  } catch (error) {
    return [fault(subject, messageOf(error), remedy)];
  }
}

const whatToDo = {
  acme: "The log says why: windsock jobs run certificate tries again now.",
  files: "Look at the program that renews the files.",
} as const satisfies Record<TlsSettings["kind"], string>;
