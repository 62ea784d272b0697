/** Paths that an operator gives and that can't be used: each message names the path and says what to do, and has no code. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { selfSigned } from "../../src/demo/certificate.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";
import { endProcesses, newFolder, run } from "./processes.ts";

let folder = "";
let orgId = "";
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await newFolder();
  await Promise.all(["data", "folder"].map((name) => mkdir(at(name))));
  const { cert } = selfSigned(new Date());
  const files = { file: "x", passphrase: "a passphrase of some length\n", "chain.pem": cert };
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  const installation = await newInstallation({ directory: at("data"), clock: new TestClock(new Date().toISOString()) });
  ({ orgId } = await newSchool(installation));
  await installation.close();
});
afterAll(endProcesses);

/** Codes of the system, and of this program's errors. */
const code = /\bE[A-Z]{3,}\b|\b[A-Z]+_?[A-Z]+: /;

const passphrase = () => ["--passphrase-file", at("passphrase")];
const isFolder = "is a directory, and a file is needed";

test.each<[string, () => string[], string, string]>([
  ["adopt a folder", () => ["adopt", at("folder")], "folder", isFolder],
  ["adopt what is not there", () => ["adopt", at("missing")], "missing", "There is no"],
  [
    "export to a folder that is not there",
    () => ["org", "export", orgId, at("no/s"), ...passphrase()],
    "no",
    "There is no",
  ],
  [
    "export to a folder",
    () => ["org", "export", orgId, at("folder"), ...passphrase()],
    "folder",
    "exists. Choose another file.",
  ],
  ["export below a file", () => ["org", "export", orgId, at("file/s"), ...passphrase()], "file", "part of this path"],
  [
    "a passphrase in a folder",
    () => ["org", "export", orgId, at("s"), "--passphrase-file", at("folder")],
    "folder",
    isFolder,
  ],
  ["a passphrase that is not there", () => ["adopt", sealed(), "--passphrase-file", at("none")], "none", "There is no"],
  ["move with a folder of variables", () => ["org", "move", orgId, "--from", at("folder")], "folder", isFolder],
  ["verify a folder", () => ["verify", at("folder")], "folder", isFolder],
  ["verify with a folder as the key", () => ["verify", at("file"), "--key", at("folder")], "folder", isFolder],
  ["restore what is not there", () => ["restore", at("missing")], "missing", "There is no"],
  ["restore a file", () => ["restore", at("file")], "file", "part of this path"],
  ["back up to a file", () => ["backup", "--to", at("file")], "file", "is a file, and not a directory"],
])(
  "%s",
  async (_, args, path, why) => {
    const { code: status, stdout, stderr } = await run(args(), { env: { WINDSOCK_DATA_DIR: at("data") } });
    const said = `${stdout}${stderr}`;
    expect([status, said]).toEqual([1, expect.stringContaining(at(path))]);
    expect(said).toContain(why);
    expect(said.replaceAll(folder, "")).not.toMatch(code);
  },
  60_000,
);

const sealed = () => at("sealed");
beforeAll(() => writeFile(sealed(), "age-encryption.org/v1\n"));

test("adopt with a folder as the key", async () => {
  const other = await newFolder();
  await (await newInstallation({ directory: other, clock: new TestClock(new Date().toISOString()) })).close();
  const args = ["adopt", at(`data/${orgId}.db`), "--owner", "olga@example.com", "--key", at("folder")];
  const { code: status, stderr } = await run(args, { env: { WINDSOCK_DATA_DIR: other } });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${at("folder")} ${isFolder}`)]);
}, 60_000);

const https = { WINDSOCK_PUBLIC_URL: "https://127.0.0.1" };

test.each<[string, () => Record<string, string>, string, string]>([
  ["a secret in a folder", () => ({ WINDSOCK_SECRET_KEY_FILE: at("folder") }), "folder", isFolder],
  ["a secret that is not there", () => ({ WINDSOCK_SMTP_URL_FILE: at("missing") }), "missing", "There is no"],
  [
    "a certificate that is not there",
    () => ({ ...https, WINDSOCK_TLS_CERT: at("missing"), WINDSOCK_TLS_KEY: at("file") }),
    "missing",
    "There is no",
  ],
  [
    "a key in a folder",
    () => ({ ...https, WINDSOCK_TLS_CERT: at("chain.pem"), WINDSOCK_TLS_KEY: at("folder") }),
    "folder",
    isFolder,
  ],
  ["authorities in a folder", () => ({ WINDSOCK_WEBHOOK_CA: at("folder") }), "folder", isFolder],
  ["authorities that are not there", () => ({ WINDSOCK_WEBHOOK_CA: at("missing") }), "missing", "There is no"],
  ["a data directory that is a file", () => ({ WINDSOCK_DATA_DIR: at("file") }), "file", "is a file"],
])(
  "a start with %s",
  async (_, variables, path, why) => {
    const env = { WINDSOCK_DATA_DIR: at("other"), ...variables() };
    const { code: status, stderr } = await run([], { env });
    const last = stderr
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("{"))
      .join("\n");
    expect([status, last]).toEqual([1, expect.stringContaining(at(path))]);
    expect(last).toContain(why);
    expect(last.replaceAll(folder, "")).not.toMatch(code);
  },
  60_000,
);
