/** From when on `windsock doctor` warns, and of what. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import program from "../../../package.json" with { type: "json" };
import { otherVersion } from "../../../src/cli/doctor.ts";
import { days, hours, toInstant } from "../../../src/core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../src/core/finding.ts";
import { newIdAt } from "../../../src/core/ids.ts";
import type { DiagnosisServices } from "../../../src/module.ts";
import type { SignUpSetting } from "../../../src/modules/accounts/sign-up-setting.ts";
import { examineBackups } from "../../../src/modules/operations/doctor/examine-backups.ts";
import { examineData } from "../../../src/modules/operations/doctor/examine-data.ts";
import { examineJobs } from "../../../src/modules/operations/doctor/examine-jobs.ts";
import { saidOnce } from "../../../src/modules/operations/doctor/said-once.ts";
import { examineSurroundings, spaceFinding } from "../../../src/modules/operations/doctor/surroundings.ts";
import { newestBackupIn } from "../../../src/modules/operations/newest-backup.ts";
import { examineSuspensions } from "../../../src/modules/organizations/operator/examine-suspensions.ts";
import { recordRun } from "../../../src/scheduler/history.ts";
import { comfortableLimit } from "../../../src/storage/descriptors.ts";
import { startMailServer } from "../../runtime/mail-server.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { TestClock } from "../../support/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { remove } from "../../support/suspending.ts";

const servicesOf = ({ clock, config, directory, scheduler, storage }: Installation): DiagnosisServices => ({
  ...{ clock, control: storage.control, tenants: storage.tenants, inspection: storage.inspection },
  ...{ backupSettings: config.backup, newestBackup: newestBackupIn(storage.backups, config.backup) },
  dataDirectory: directory,
  jobs: scheduler.jobs,
});

const levels = (findings: readonly Finding[]) => findings.map(({ level, code }) => (code ? `${level} ${code}` : level));

test("a backup of every night is in time for a day and a half", async () => {
  const place = await mkdtemp(join(tmpdir(), "windsock-backups-"));
  afterThisTest(() => rm(place, { recursive: true }));
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_COMMAND: "true" } });
  await at.scheduler.runNow("backup");
  at.clock.advance(hours(35));
  expect(levels(await examineBackups(servicesOf(at)))).toEqual(["fine"]);
  at.clock.advance(hours(1) + 1);
  expect(levels(await examineBackups(servicesOf(at)))).toEqual(["warning backups_old"]);
});

test("backups on the disk of the data are no backups of that disk, unless they are taken elsewhere", async () => {
  const place = await mkdtemp(join(tmpdir(), "windsock-backups-"));
  afterThisTest(() => rm(place, { recursive: true }));
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place } });
  await at.scheduler.runNow("backup");
  const services = servicesOf(at);
  expect(levels(await examineBackups(services))).toEqual(["fine", "warning backups_same_disk"]);
  expect(levels(await examineBackups({ ...services, dataDirectory: "/proc" }))).toEqual(["fine"]);
  expect(levels(await examineBackups({ ...services, dataDirectory: undefined }))).toEqual(["fine"]);
  const taken = { ...services, backupSettings: { place, command: "/usr/local/bin/off-site" } };
  expect(levels(await examineBackups(taken))).toEqual(["fine"]);
});

test("a school is late to be deleted two days after its day", async () => {
  const at = await newInstallation();
  const school = await newSchool(at);
  const { name } = expectStatus(200, await school.owner.get("")).body.data;
  await remove(school, { confirm: name, grace: "1d" });
  at.clock.advance(days(3));
  expect(levels(await examineSuspensions(servicesOf(at)))).toEqual(["fine"]);
  at.clock.advance(1);
  expect(levels(await examineSuspensions(servicesOf(at)))).toEqual(["warning removal_late"]);
});

test("a server of another version than the command is named", () => {
  expect(otherVersion(program.version)).toEqual([]);
  expect(otherVersion("0.0.1")).toMatchObject([{ level: "warning", message: expect.stringContaining("0.0.1") }]);
});

test("a job is named from its first failure on", async () => {
  const at = await newInstallation();
  const now = toInstant(at.clock.now());
  const failed = { started_at: now, finished_at: now, outcome: "failed", summary: "The disk is full." } as const;
  expect(levels(await examineJobs(servicesOf(at)))).toEqual(["fine"]);
  await recordRun(at.storage.control, "scrub", failed);
  const [finding] = await examineJobs(servicesOf(at));
  expect(finding).toMatchObject({ code: "job_failing", params: { job: "scrub", failures: 1 } });
  expect(finding?.message).toContain("The job scrub has failed, last at");
});

test("a job whose failure has a finding of its own is not named beside it", () => {
  const job = (name: string) =>
    warning("jobs", `The job ${name} has failed`, "Try again.", {
      ...{ code: "job_failing", params: { job: name, failures: 1, at: "", summary: "" } },
    });
  const missing = fault("backups", "There is no /mnt.", "Mount it.", {
    ...{ code: "backups_missing", params: { path: "/mnt/x", fault: "There is no /mnt." } },
  });
  const expired = fault("certificate", "There is none.", "The authority can't be used.");
  const jobsIn = (findings: Finding[]) => saidOnce(findings).flatMap(({ params }) => params?.job ?? []);
  const both = [job("backup"), job("certificate"), job("scrub")];
  expect(jobsIn(both)).toEqual(["backup", "certificate", "scrub"]);
  expect(jobsIn([...both, fine("certificate", "It is valid."), missing])).toEqual(["certificate", "scrub"]);
  expect(jobsIn([...both, expired])).toEqual(["backup", "scrub"]);
});

test("a file that can't be used is named also when the backups can't be read, and one without an owner once", async () => {
  const at = await newInstallation();
  const [damaged, stray] = [newIdAt<"organization">(at.clock.now()), newIdAt<"organization">(at.clock.now())];
  const since = { since: "2026-01-01T00:00:00.000Z" as never, faults: ["malformed"] };
  const findings = await examineData({
    ...servicesOf(at),
    tenants: { unusable: () => [damaged, stray].map((orgId) => ({ orgId, ...since })) },
    inspection: { unowned: async () => [stray], missing: async () => [damaged] },
    newestBackup: () => Promise.reject(new Error("EIO")),
  });
  expect(levels(findings)).toEqual(["fine", "fine", "warning files_unowned", "error file_unusable"]);
});

const settings = {
  dataDir: tmpdir(),
  host: "127.0.0.1",
  publicUrl: "http://127.0.0.1:3000",
  smtpUrl: undefined,
  diskWarning: 0,
  tls: undefined,
  signUp: "open" as SignUpSetting,
};

/** What is said about one thing around the data. */
async function said(subject: string, change: Partial<typeof settings> | { smtpUrl: string }, more: object = {}) {
  const options = { descriptorLimit: comfortableLimit, isServing: false, clock: new TestClock(), ...more };
  const found = await examineSurroundings({ settings: { ...settings, ...change }, ...options });
  return found.filter((one) => one.subject === subject);
}

test("few open files, a disk that is nearly full and one that is gone are said", async () => {
  expect(levels(await said("open files", {}))).toEqual(["fine"]);
  const few = { descriptorLimit: comfortableLimit - 1 };
  expect(levels(await said("open files", {}, few))).toEqual(["warning open_files_few"]);
  const unknown = { descriptorLimit: undefined };
  expect(levels(await said("open files", {}, unknown))).toEqual(["warning open_files_unknown"]);
  expect(levels(await said("disk", {}))).toEqual(["fine"]);
  expect(levels(await said("disk", { diskWarning: Number.MAX_SAFE_INTEGER }))).toEqual(["warning disk_low"]);
  expect(levels(await said("disk", { dataDir: "/nonexistent" }))).toEqual(["error disk_unreadable"]);
  // Whatever the warning is set to.
  expect(levels([spaceFinding({ free: 1000 }, settings)])).toEqual(["error disk_full"]);
});

test("a mail server that rejects the user has another remedy than one that does not answer", async () => {
  await using mails = await startMailServer({
    authOptional: false,
    onAuth: (_, __, done) => done(new Error("No such user")),
  });
  const [rejected] = await said("mail", { smtpUrl: `smtp://olga:secret@127.0.0.1:${mails.port}/?ignoreTLS=true` });
  expect(rejected?.remedy).toContain("the user and the password");
  const { port } = mails;
  await mails[Symbol.asyncDispose]();
  const [silent] = await said("mail", { smtpUrl: `smtp://127.0.0.1:${port}` });
  expect(silent?.remedy).toContain("host and port");
});

test("an address on the internet where everybody may found a school is said, and is no fault", async () => {
  const of = (change: Partial<typeof settings>) =>
    said("sign-up", { publicUrl: "https://127.0.0.2.example.com", ...change });
  const [found] = await of({});
  expect(found).toMatchObject({ level: "fine", remedy: expect.stringContaining("WINDSOCK_SIGN_UP=first") });
  expect(await of({ signUp: "first" })).toEqual([]);
  expect(await of({ publicUrl: "http://127.0.0.1:3000" })).toEqual([]);
});

test("a redirect is not Windsock, even to one, and an address of this machine only is not asked", async () => {
  const asked: string[] = [];
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      asked.push(new URL(url).pathname);
      return url.endsWith("/other") ? new Response("ok") : Response.redirect("/other", 302);
    },
  });
  const serving = { isServing: true };
  const local = await said("public address", { publicUrl: `http://127.0.0.1:${other.port}` }, serving);
  expect([local.at(-1)?.level, asked]).toEqual(["fine", []]);
  // Not a name of this machine for browsers, but it leads to it.
  const publicUrl = `http://[::ffff:127.0.0.1]:${other.port}`;
  const redirected = await said("public address", { publicUrl }, serving);
  await other.stop(true);
  expect([redirected.at(-1), asked]).toMatchObject([{ level: "error", code: "address_other" }, ["/health"]]);
});
