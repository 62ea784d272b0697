/** `windsock doctor`, as an operator runs it. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../src/core/finding.ts";
import { newIdAt } from "../../src/core/ids.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";
import { startMailServer } from "./mail-server.ts";
import { signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

async function examined(env: Record<string, string>) {
  const { code, stdout, stderr } = await run(["doctor", "--json"], { env });
  expect(stderr).toBe("");
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  const of = (subject: string) => findings.filter((finding) => finding.subject === subject);
  return { code, of, findings };
}

/** A directory with a school, which no server uses. @param ahead milliseconds that the clock was ahead when it was written */
async function directoryWithSchool(ahead = 0) {
  const directory = await newFolder();
  const clock = new TestClock(new Date(Date.now() + ahead).toISOString());
  const at = await newInstallation({ directory, clock });
  const { orgId } = await newSchool(at);
  await at.close();
  return { directory, orgId };
}

const subjects = [
  "backups",
  "clock",
  "disk",
  "files",
  "jobs",
  "key",
  "mail",
  "open files",
  "owners",
  "public address",
  "schools",
  "versions",
];

test("`windsock doctor` beside a running server asks that one, and finds nothing wrong with a good one", async () => {
  await using mail = await startMailServer({ disabledCommands: [] });
  const backups = await newFolder();
  const server = await startServer({
    WINDSOCK_BACKUP_DIR: backups,
    WINDSOCK_BACKUP_COMMAND: "true",
    WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    WINDSOCK_DISK_WARNING_MIB: "0",
    NODE_TLS_REJECT_UNAUTHORIZED: "0", // The mail server's certificate is its own.
  });
  await urlOf(server);
  const env = { WINDSOCK_DATA_DIR: server.directory };
  const { of } = await examined(env);
  expect(of("backups")).toMatchObject([{ level: "warning", message: expect.stringContaining("no complete backup") }]);
  expect(await run(["backup", "--to", backups], { env })).toMatchObject({ code: 0, stderr: "" });

  const { code, findings } = await examined(env);
  expect(findings.filter(({ level }) => level !== "fine")).toEqual([]);
  expect([...new Set(findings.map(({ subject }) => subject))].sort()).toEqual(subjects);
  expect(code).toBe(0);
  expect(mail.delivered).toEqual([]);

  // For people: a line each.
  const { stdout } = await run(["doctor"], { env });
  expect(stdout).toMatch(/^fine {5}key {13}The key is /m);
}, 120_000);

test("`windsock doctor` without a server names what is wrong with the data, each with what to do", async () => {
  const { directory, orgId } = await directoryWithSchool();
  const copy = newIdAt<"organization">(new Date());
  await copyFile(join(directory, `${orgId}.db`), join(directory, `${copy}.db`));

  const { code, of, findings } = await examined({ WINDSOCK_DATA_DIR: directory });
  expect(of("owners")).toEqual([
    {
      ...{
        subject: "owners",
        level: "warning",
        message: `No organization owns ${copy}.db.`,
        remedy: expect.any(String),
      },
      ...{ code: "files_unowned", params: { files: [`${copy}.db`] } },
    },
  ]);
  expect(of("mail")).toMatchObject([{ level: "warning", remedy: expect.stringContaining("WINDSOCK_SMTP_URL") }]);
  expect(of("backups")).toMatchObject([{ level: "warning", remedy: expect.stringContaining("WINDSOCK_BACKUP_DIR") }]);
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  expect(code).toBe(1);

  // No request has met it yet.
  await rename(join(directory, `${orgId}.db`), join(directory, "away.db"));
  const fileless = await examined({ WINDSOCK_DATA_DIR: directory });
  expect(fileless.of("files")).toMatchObject([
    {
      ...{ level: "error", code: "file_unusable", message: expect.stringContaining("the file is missing") },
      remedy: expect.stringContaining("No backup has a copy."),
    },
  ]);

  await writeFile(join(directory, "secret.key"), `${"x".repeat(64)}\n`);
  const wrongKey = await examined({ WINDSOCK_DATA_DIR: directory });
  expect(wrongKey.of("data")).toMatchObject([
    { level: "error", message: expect.stringContaining("sealed with another secret") },
  ]);
  expect(wrongKey.of("disk")).toHaveLength(1);
  expect(wrongKey.code).toBe(2);
}, 120_000);

test("`windsock doctor` finds a clock behind the data, a closed mail server, a name without an address", async () => {
  const { directory } = await directoryWithSchool(3_600_000);
  const mail = await startMailServer();
  await mail[Symbol.asyncDispose]();

  const { of, code } = await examined({
    WINDSOCK_DATA_DIR: directory,
    WINDSOCK_SMTP_URL: `smtp://user:hidden@127.0.0.1:${mail.port}`,
    WINDSOCK_PUBLIC_URL: "https://windsock.invalid",
  });
  expect(of("clock")).toMatchObject([{ level: "error", remedy: expect.stringContaining("NTP") }]);
  expect(of("mail")).toMatchObject([{ level: "error", message: expect.stringContaining("127.0.0.1 can't be used") }]);
  expect(of("public address")).toMatchObject([{ level: "error", message: expect.stringContaining("no address") }]);
  expect(JSON.stringify(of("mail"))).not.toContain("hidden");
  expect(code).toBe(2);
}, 120_000);

test("`windsock doctor` warns of a mail server without TLS, and of a public address where another program answers", async () => {
  await using mail = await startMailServer();
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("welcome") });
  const server = await startServer({
    WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    // Not a name of this machine for browsers, but it leads to it.
    WINDSOCK_PUBLIC_URL: `http://[::ffff:127.0.0.1]:${other.port}`,
  });
  await urlOf(server);
  const { of } = await examined({ WINDSOCK_DATA_DIR: server.directory });
  await other.stop(true);
  expect(of("mail")).toMatchObject([{ level: "warning", message: expect.stringContaining("without TLS") }]);
  expect(of("public address")).toContainEqual(
    expect.objectContaining({ level: "error", message: expect.stringContaining("answers 200, and not as Windsock") }),
  );
}, 120_000);

test("`windsock doctor` names a bad configuration, and a directory without an installation", async () => {
  const bad = await examined({ WINDSOCK_PORT: "http" });
  expect(bad.of("configuration")).toMatchObject([
    { level: "error", message: expect.stringContaining("WINDSOCK_PORT") },
  ]);
  expect(bad.code).toBe(2);

  const directory = await newFolder();
  const readable = join(directory, "smtp-url");
  await writeFile(readable, "smtp://user:hidden@127.0.0.1:1", { mode: 0o644 });
  const empty = await examined({ WINDSOCK_DATA_DIR: directory, WINDSOCK_SMTP_URL_FILE: readable });
  expect(empty.of("configuration")).toMatchObject([{ level: "warning", message: expect.stringContaining(readable) }]);
  expect(empty.of("data")).toMatchObject([{ message: expect.stringContaining("contains no installation") }]);
  await rm(directory, { recursive: true });
}, 120_000);

test("`windsock doctor` shows a school's file that the running server can't use", async () => {
  const { directory, orgId } = await directoryWithSchool();
  await writeFile(join(directory, `${orgId}.db`), "no database");
  const server = await startServer({ WINDSOCK_DATA_DIR: directory });
  await urlOf(server);
  await run(["check"], { env: { WINDSOCK_DATA_DIR: directory } });
  const { of, code } = await examined({ WINDSOCK_DATA_DIR: directory });
  expect(of("files")).toMatchObject([{ level: "error", message: expect.stringContaining(`${orgId}.db`) }]);
  expect(code).toBe(2);
}, 120_000);

test("`windsock doctor` says that control.db is missing beside the files of schools, with a server and without", async () => {
  const server = await startServer();
  const school = await signUp(await urlOf(server), "olga@example.com");
  await school.addPerson("Ines");
  const env = { WINDSOCK_DATA_DIR: server.directory };
  await rm(join(server.directory, "control.db"));
  await server.shows("stdout", /control\.db was removed or replaced/);
  const beside = await examined(env);
  expect(beside.of("control.db")).toMatchObject([
    {
      level: "error",
      message: expect.stringContaining("control.db is missing. The server writes nothing more."),
      remedy: expect.stringMatching(/windsock restore.*windsock control rebuild/),
      code: "control_missing",
    },
  ]);
  expect(beside.code).toBe(2);

  await stop(server);
  const alone = await examined(env);
  expect(alone.of("data")).toMatchObject([
    { level: "error", message: expect.stringMatching(/control\.db is missing, but .*windsock control rebuild/s) },
  ]);
  const empty = await examined({ WINDSOCK_DATA_DIR: await newFolder() });
  expect(empty.of("data")).toMatchObject([{ message: expect.stringContaining("contains no installation") }]);
}, 120_000);
