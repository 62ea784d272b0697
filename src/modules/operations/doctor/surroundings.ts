/** What `windsock doctor` finds around the data: this works without an installation, too. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import process from "node:process";
import program from "../../../../package.json" with { type: "json" };
import type { Clock } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import { isLocal, originFault, withheldAt } from "../../../core/secure-origin.ts";
import { trySmtp } from "../../../mail/try-smtp.ts";
import { comfortableLimit, tenantLimits } from "../../../storage/descriptors.ts";
import { diskSpace } from "../../../storage/disk-space.ts";
import type { TlsSettings } from "../../../tls/settings.ts";
import type { SignUpSetting } from "../../accounts/sign-up-setting.ts";
import { examineCertificate } from "./examine-certificate.ts";
import { codeOf, reach } from "./reach.ts";

/** The part of the configuration that is looked at. */
export interface DoctorSettings {
  dataDir: string;
  host: string;
  publicUrl: string;
  smtpUrl: string | undefined;
  /** In bytes. */
  diskWarning: number;
  signUp: SignUpSetting;
  tls: TlsSettings | undefined;
}

interface Surroundings {
  settings: DoctorSettings;
  clock: Clock;
  /** How many files the server may have open; undefined if the system does not tell. */
  descriptorLimit: number | undefined;
  /** Whether a server answers at the public address, if all is well. */
  isServing: boolean;
}

export async function examineSurroundings(options: Surroundings): Promise<Finding[]> {
  const { settings, clock, descriptorLimit, isServing } = options;
  const found = await Promise.all([
    versions(),
    limits(descriptorLimit),
    disk(settings),
    mail(settings),
    address(settings, isServing),
    examineCertificate(settings, clock),
  ]);
  return found.flat();
}

const versions = (): Finding =>
  fine("versions", `Windsock ${program.version} on ${runtimeName()}, ${process.platform} ${process.arch}.`);

/** The runtime with its version: `Bun 1.4.5`. */
export function runtimeName(): string {
  const { bun, deno, node } = process.versions;
  return bun !== undefined ? `Bun ${bun}` : deno !== undefined ? `Deno ${deno}` : `Node ${node}`;
}

function limits(limit: number | undefined): Finding {
  const raise = "Raise it: LimitNOFILE=16384 in a systemd unit, or ulimit -n 16384.";
  if (limit === undefined) {
    const unknown = { code: "open_files_unknown", params: {} } as const;
    return warning("open files", "The limit of open files can't be read.", raise, unknown);
  }
  if (limit >= comfortableLimit) return fine("open files", `The limit of open files is ${limit}.`);
  const { maxOpen } = tenantLimits(limit);
  const message = `The limit of open files is ${limit}: ${maxOpen} schools can be open at a time.`;
  return warning("open files", message, raise, { code: "open_files_few", params: { limit, schools: maxOpen } });
}

const MEBIBYTE = 1024 * 1024;

function disk({ dataDir, diskWarning }: DoctorSettings): Finding {
  const space = diskSpace(dataDir);
  if (space === undefined) {
    const remedy = "Check WINDSOCK_DATA_DIR, and whether its disk is mounted.";
    return fault("disk", `${dataDir} can't be read.`, remedy, { code: "disk_unreadable", params: { path: dataDir } });
  }
  return spaceFinding(space, { dataDir, diskWarning });
}

/** @param space in bytes */
export function spaceFinding(
  space: { free: number },
  { dataDir, diskWarning }: Pick<DoctorSettings, "dataDir" | "diskWarning">,
): Finding {
  const params = { path: dataDir, free_mib: Math.floor(space.free / MEBIBYTE) };
  const message = `${params.free_mib} MiB are free for ${dataDir}.`;
  if (space.free < MEBIBYTE)
    return fault("disk", message, "Nothing can be stored. Free some space.", { code: "disk_full", params });
  if (space.free >= diskWarning) return fine("disk", message);
  return warning("disk", message, "Free some space.", { code: "disk_low", params });
}

async function mail({ smtpUrl }: DoctorSettings): Promise<Finding> {
  if (smtpUrl === undefined) {
    const remedy = "Set WINDSOCK_SMTP_URL, so that people can reset their passwords.";
    return warning("mail", "No mail is sent.", remedy, { code: "mail_off", params: {} });
  }
  const { hostname } = new URL(smtpUrl);
  const trial = await trySmtp(smtpUrl);
  if (trial.outcome === "encrypted") return fine("mail", `${hostname} takes mail, encrypted.`);
  if (trial.outcome === "plain") {
    const plain = { code: "mail_plain", params: { host: hostname } } as const;
    return warning(
      "mail",
      `${hostname} takes mail, but without TLS.`,
      "Use smtps://, or a server with STARTTLS.",
      plain,
    );
  }
  const remedy =
    trial.code === "EAUTH"
      ? "Check the user and the password in WINDSOCK_SMTP_URL."
      : "Check host and port in WINDSOCK_SMTP_URL, and the firewall.";
  const refused = { code: "mail_refused", params: { host: hostname, error: trial.code } } as const;
  return fault("mail", `${hostname} can't be used (${trial.code}).`, remedy, refused);
}

async function address(settings: DoctorSettings, isServing: boolean): Promise<Finding[]> {
  const { publicUrl } = settings;
  const origin = originFault(settings);
  const code = withheldAt(publicUrl).length > 0 ? "address_insecure" : "address_local";
  const one = { code, params: { url: publicUrl, host: settings.host } } as const;
  const found = origin === undefined ? [] : [warning("public address", origin.what, origin.remedy, one)];
  found.push(...signUps(settings));
  const { hostname } = new URL(publicUrl);
  const unresolved = await lookUp(hostname.replace(/^\[|\]$/g, ""));
  if (unresolved !== undefined) {
    const remedy = "Add it to the DNS, or correct WINDSOCK_PUBLIC_URL.";
    const unknown = { code: "address_unknown", params: { host: hostname, error: unresolved } } as const;
    return [...found, fault("public address", `${hostname} has no address (${unresolved}).`, remedy, unknown)];
  }
  if (!isServing || isLocal(publicUrl)) {
    const why = isServing ? "is of this machine only" : "was not asked, since no server is running";
    return [...found, fine("public address", `${publicUrl} ${why}.`)];
  }
  return [...found, await reach(publicUrl, settings.tls)];
}

/** No fault: a server for many schools wants it so. But who runs one for their own school may not know. */
function signUps({ publicUrl, signUp }: DoctorSettings): Finding[] {
  if (signUp !== "open" || !publicUrl.startsWith("https:") || isLocal(publicUrl)) return [];
  const remedy = "If this server is for one school, set WINDSOCK_SIGN_UP=first, or closed.";
  return [{ ...fine("sign-up", `Whoever reaches ${publicUrl} can sign up, and found a school.`), remedy }];
}

/** @returns the code of the failure */
async function lookUp(name: string): Promise<string | undefined> {
  if (isIP(name) !== 0) return undefined;
  return lookup(name).then(
    () => undefined,
    (error: unknown) => codeOf(error),
  );
}
