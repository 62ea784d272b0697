/** The command line as an operator uses it. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { platformPermissions } from "../../src/core/permissions.ts";
import { signUpAlone } from "../http/accounts/newcomers.ts";
import { newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, password } from "../support/school.ts";
import { endProcesses, newFolder, oneFile, run, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

let origin: string;
beforeAll(async () => {
  origin = await mkdtemp(join(tmpdir(), "windsock-command-line-"));
  const at = await newInstallation({ directory: origin, shared: true });
  await signUpAlone(at);
  await at.close();
});
afterAll(() => rm(origin, { recursive: true, force: true }));

/** A data directory with one account, without a server. */
async function dataDirectory(): Promise<string> {
  const directory = await newFolder();
  await cp(origin, directory, { recursive: true });
  return directory;
}

const windsock = async (directory: string, line: string) => {
  const env = { WINDSOCK_DATA_DIR: directory, WINDSOCK_LINK_URL: "https://console.example.com/link" };
  const { code, stdout, stderr } = await run(line === "" ? [] : line.split(" "), { env });
  return [code, stdout, stderr];
};

test.each([
  ["--demoo", "Unknown option: --demoo"],
  ["serve --bogus", "Unknown option: --bogus"],
  ["serve --no-demo", "Unknown option: --no-demo"],
  ["serve --demo=yes", "The option --demo takes no value."],
  ["serve extra", "Unexpected argument: extra"],
  ["--demo serve", "The option --demo is before its command. Put it after the command."],
  ["jobs --port 3", "Unknown command: 3. Must be one of run. Options such as --port come after it."],
  ["jobs run retention extra", "Unexpected argument: extra"],
  ["jobs run retention --force", "Unknown option: --force"],
  ["jobs --force run retention", "The option --force is before its command. Put it after the command."],
  ["jobs run No_such", "NAME: Invalid job name."],
  ["audit verify --org", "The option --org needs a value."],
  ["audit verify --org foo", "--org: Must be a lowercase UUID."],
  ["org suspend foo --reason x", "ID: Must be a lowercase UUID."],
  ["org resume 01890a5d-ac96-774b-bcce-b302099a8057", "There is no such resource."],
  [
    "org delete 01890a5d-ac96-774b-bcce-b302099a8057 --confirm x --grace 1h",
    "--grace: Must be a number of days with a d, such as 30d.",
  ],
  ["install", "Say as what: windsock install --systemd"],
  ["audit verify foo", "Unexpected argument: foo"],
  ["account disable ada", "EMAIL: Must be an e-mail address."],
  ["account disable nobody@example.com", "There is no account with the e-mail address nobody@example.com."],
  ["account reset-link ada@example.com --now", "Unknown option: --now"],
  [
    "admin grant ada@example.com flights:approve",
    "PERMISSION: Must be one of platform_admin.listing:review, platform_admin.directory:moderate, platform_admin.debug:read, platform_admin.installation:read.",
  ],
  ["admin list everybody", "Unexpected argument: everybody"],
])("`windsock %s` only prints its error", async (line, message) => {
  const directory = await dataDirectory();
  expect(await windsock(directory, line)).toEqual([1, "", `${message}\n`]);
});

test("`windsock account` and `windsock admin` work without a server", async () => {
  const directory = await dataDirectory();
  const ada = "ada@example.com";
  const debug = "platform_admin.debug:read";
  const [code, link, remark] = await windsock(directory, `account reset-link ${ada}`);
  expect(code).toBe(0);
  expect(link).toMatch(/^https:\/\/console\.example\.com\/link#reset=[\w-]{43}\n$/);
  expect(remark).toContain("The link works once");
  expect(await windsock(directory, `account disable ${ada}`)).toEqual([
    0,
    `${ada} is disabled; 1 session ended.\n`,
    "",
  ]);
  expect(await windsock(directory, `account enable ${ada}`)).toEqual([0, `${ada} is enabled.\n`, ""]);
  expect(await windsock(directory, `account drop-mfa ${ada}`)).toEqual([0, `${ada} had no second factor.\n`, ""]);
  expect(await windsock(directory, "admin list")).toEqual([0, "", "No account has such a permission.\n"]);
  const [refused, , why] = await windsock(directory, `admin grant ${ada} ${debug}`);
  expect([refused, why]).toEqual([1, expect.stringContaining("--unverified")]);
  expect(await windsock(directory, `admin grant ${ada} ${debug} --unverified`)).toEqual([
    0,
    `${ada} now has: ${debug}\n`,
    "",
  ]);
  const [, listed] = await windsock(directory, "admin list");
  expect(listed).toMatch(/^ada@example\.com\tplatform_admin\.debug:read\tsince \S+Z\tnot verified\n$/);
  expect(await windsock(directory, `admin revoke ${ada} ${debug}`)).toEqual([
    0,
    `${ada} no longer has: ${debug}\n`,
    "",
  ]);
}, 120_000);

test.skipIf(process.platform !== "linux")(
  "`windsock install --systemd --dry-run` prints what it would do",
  async () => {
    const env = { WINDSOCK_SMTP_URL: "smtps://olga:s3cr3t@mail.example.com" };
    const { code, stdout, stderr } = await run(["install", "--systemd", "--dry-run"], { env });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/what this shell sets: .*WINDSOCK_SMTP_URL/)]);
    expect(stderr).not.toContain("s3cr3t");
    expect(stdout).toMatch(/^Write \/etc\/systemd\/system\/windsock\.service\n {4}\[Unit\]\n/m);
    expect(stdout).toMatch(/^ {4}ExecStart=\S+( \S+)? serve$/m);
    expect(stdout).not.toContain("Installed.");
  },
  120_000,
);

test.each([
  ["--help", "USAGE windsock serve|"],
  ["account --help", "USAGE windsock account reset-link|"],
  ["account reset-link --help", "USAGE windsock account reset-link [OPTIONS] <EMAIL>"],
  ["audit verify --help", "USAGE windsock audit verify "],
])(
  "`windsock %s` begins its usage with the program's name",
  async (line, usage) => {
    expect((await run(line.split(" "), {})).stdout).toContain(usage);
  },
  120_000,
);

/** Without the variables at which citty itself prints no colours. */
const colored = { NO_COLOR: "", CI: "", TEST: "", TERM: "xterm" };

test("a command whose output nobody reads to its end says nothing about that", async () => {
  const { command } = await oneFile();
  const piped = Bun.spawn(["sh", "-c", '"$@" manual | head -n 1', "sh", ...command], { stderr: "pipe" });
  expect(await new Response(piped.stdout).text()).toBe("# For operators\n");
  expect(await new Response(piped.stderr).text()).toBe("");
}, 60_000);

test("`--help` prints no colours to a pipe", async () => {
  const { stdout } = await run(["--help"], { env: colored });
  expect(stdout).toContain("USAGE");
  expect(stdout).toBe(stripVTControlCharacters(stdout));
}, 120_000);

test.each(["bogus", "jobs bogus"])(
  "`windsock %s` names the known commands, without colours in a pipe",
  async (line) => {
    const { code, stdout, stderr } = await run(line.split(" "), { env: colored });
    const known =
      line === "bogus"
        ? "serve, account, admin, adopt, audit, backup, check, control, doctor, install, jobs, listen, manual, org, restore, verify"
        : "run";
    expect([code, stdout, stderr]).toEqual([1, "", `Unknown command: bogus. Must be one of ${known}.\n`]);
  },
  120_000,
);

test.each([
  ["", true],
  ["0", false],
])(
  "`--help` in a terminal with NO_COLOR=%s: prints colours is %p",
  async (noColor, isColored) => {
    const chunks: Uint8Array[] = [];
    const shown = Bun.spawn([...(await oneFile()).command, "--help"], {
      env: { ...process.env, ...colored, NO_COLOR: noColor },
      terminal: { cols: 100, rows: 50, data: (_, bytes) => void chunks.push(bytes) },
    });
    await shown.exited;
    shown.terminal?.close();
    const output = Buffer.concat(chunks).toString();
    expect(output).toContain("USAGE");
    expect(output !== stripVTControlCharacters(output)).toBe(isColored);
  },
  120_000,
);

test("`windsock admin grant --help` lists the permissions", async () => {
  const { stdout } = await run(["admin", "grant", "--help"], {});
  for (const permission of platformPermissions) expect(stdout).toContain(permission);
}, 120_000);

test("`windsock account reset-link` prints the source of the link's address, and that an account is disabled", async () => {
  const directory = await dataDirectory();
  const env = { WINDSOCK_DATA_DIR: directory, WINDSOCK_PUBLIC_URL: "https://ops.example.com" };
  await run(["account", "disable", "ada@example.com"], { env });
  const { stdout, stderr } = await run(["account", "reset-link", "ada@example.com"], { env });
  expect(stdout).toStartWith("https://ops.example.com/app/link#reset=");
  expect(stderr).toContain(
    "No server is running, so the link uses this shell's WINDSOCK_PUBLIC_URL: https://ops.example.com",
  );
  expect(stderr).toContain("The account is disabled");
}, 120_000);

test("by default, a link has the address that the server announces", async () => {
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = String(free.port);
  await free.stop(true);
  const server = await startServer({ WINDSOCK_PORT: port });
  const url = await urlOf(server);
  const ada = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/auth/signup`, { method: "POST", headers, body: JSON.stringify(ada) });
  const env = { WINDSOCK_DATA_DIR: server.directory };
  const { stdout } = await run(["account", "reset-link", ada.email], { env });
  expect(stdout).toStartWith(`${url}/app/link#reset=`);
}, 120_000);

test("a running server carries out commands, with its own links and sessions", async () => {
  const server = await startServer({ WINDSOCK_PUBLIC_URL: "https://ops.example.com" });
  const url = await urlOf(server);
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const ada = { email: "ada@example.com", password: "correct horse battery" };
  const { tokens } = (await post("/auth/signup", { ...ada, name: "Ada" })).body.data;
  const env = { WINDSOCK_DATA_DIR: server.directory };

  // The link is the server's, for any environment of the command line.
  const { stdout, stderr } = await run(["account", "reset-link", ada.email], { env });
  expect(stderr).toStartWith("The link works once");
  const [page, token = ""] = stdout.trim().split("#reset=");
  expect(page).toBe("https://ops.example.com/app/link");
  const password = "another horse battery";
  expect((await post("/auth/password/reset", { token, password })).status).toBe(200);
  expect(server.stdout()).not.toContain(token);

  const login = await post("/auth/login", { ...ada, password });
  expect(login.status).toBe(200);
  await run(["account", "disable", ada.email], { env });
  expect((await post("/auth/login", { ...ada, password })).status).toBe(403);
  for (const { refresh_token } of [tokens, login.body])
    expect((await post("/auth/refresh", { refresh_token })).status).toBe(401);
}, 120_000);

/** A data directory with two schools, without a server. */
async function schoolsDirectory() {
  const directory = await newFolder();
  const at = await newInstallation({ directory });
  const [first, second] = [await newSchool(at), await newSchool(at)];
  const { name } = expectStatus(200, await first.owner.get("")).body.data;
  await at.close();
  return { directory, first, second, name };
}

const org = async (directory: string, ...args: string[]) => {
  const { code, stdout, stderr } = await run(["org", ...args], { env: { WINDSOCK_DATA_DIR: directory } });
  return [code, stdout, stderr];
};

test("`windsock org` lists, renames, suspends, resumes and deletes schools without a server", async () => {
  const { directory, first, second, name } = await schoolsDirectory();
  const { orgId, owner } = first;
  const mailed = `Owners: ${owner.email}. Mailed: 0 of 1.\n`;
  expect(await org(directory, "rename", orgId, "Aero Neu")).toEqual([0, `${orgId} is called Aero Neu.\n`, ""]);
  expect(await org(directory, "suspend", orgId, "--reason", "Not paid.")).toEqual([
    0,
    "Aero Neu is suspended.\n",
    mailed,
  ]);
  expect(await org(directory, "suspend", orgId, "--reason", "Again.")).toEqual([
    0,
    "Aero Neu was suspended already.\n",
    "",
  ]);
  const [, json] = await org(directory, "list", "--json");
  expect(JSON.parse(String(json)).organizations).toMatchObject([
    { id: orgId, name: "Aero Neu", state: "suspended", reason: "Not paid.", owners: [owner.email], members: 3 },
    { id: second.orgId, state: "active", backed_up_at: null },
  ]);
  const [, table] = await org(directory, "list");
  expect(String(table).split("\n")[1]).toMatch(/^Aero Neu +suspended +3 +\d+(\.\d)? [KM]iB \d{4}-\d\d-\d\d none$/);
  expect(await org(directory, "resume", orgId)).toEqual([0, "Aero Neu is resumed.\n", mailed]);

  expect(await org(directory, "delete", orgId, "--confirm", name)).toEqual([
    1,
    "",
    "--confirm: The organization is called Aero Neu. Nothing was changed.\n",
  ]);
  const [code, deleted] = await org(directory, "delete", orgId, "--confirm", "Aero Neu", "--grace", "0d");
  expect(code).toBe(0);
  expect(deleted).toStartWith("Aero Neu is suspended, and is deleted with the first nightly run after ");
  const env = { WINDSOCK_DATA_DIR: directory };
  expect((await run(["jobs", "run", "organization-removal"], { env })).stdout).toContain("Removed 1 organization.");
  const [, left] = await org(directory, "list", "--json");
  expect(JSON.parse(String(left)).organizations.map(({ id }: { id: string }) => id)).toEqual([second.orgId]);
}, 240_000);

test("`windsock org suspend` beside a running server is in force for its next request", async () => {
  const { directory, first } = await schoolsDirectory();
  const server = await startServer({ WINDSOCK_DATA_DIR: directory });
  const url = await urlOf(server);
  const signedIn = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: first.owner.email, password }),
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const flights = () =>
    fetch(`${url}/orgs/${first.orgId}/flights`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await flights()).status).toBe(200);
  const [code] = await org(directory, "suspend", first.orgId, "--reason", "Not paid.");
  expect([code, (await flights()).status]).toEqual([0, 403]);
  expect((await org(directory, "resume", first.orgId))[0]).toBe(0);
  expect((await flights()).status).toBe(200);
}, 240_000);
