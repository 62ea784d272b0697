import { afterEach, beforeEach, expect, test } from "bun:test";
import { link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planSystemd } from "../../src/cli/install/plan-systemd.ts";
import { strayVariables } from "../../src/cli/install/stray-variables.ts";
import { systemdUnit } from "../../src/cli/install/systemd-unit.ts";
import { stopDeadline } from "../../src/engine.ts";
import { comfortableLimit } from "../../src/storage/descriptors.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "windsock-install-"));
});
afterEach(() => rm(root, { recursive: true }));

async function installed(program: { file: string; args: string[] }) {
  const commands: string[] = [];
  const run = async (file: string, args: readonly string[]) => void commands.push([file, ...args].join(" "));
  const steps = await planSystemd({ program, root, run });
  for (const step of steps) await step.perform();
  return { texts: steps.map(({ text }) => text), commands };
}

const nothing = { lowPorts: false, backups: undefined };

const started = ["systemctl daemon-reload", "systemctl enable windsock", "systemctl restart windsock"];

test("planSystemd copies the executable, and writes an account, a unit and a private file of variables", async () => {
  const file = join(root, "downloaded");
  await writeFile(file, "program");
  const { texts, commands } = await installed({ file, args: ["serve"] });
  expect(texts).toEqual([
    "Run useradd --system --home-dir /var/lib/windsock --shell /usr/sbin/nologin windsock",
    `Copy ${file} to /usr/local/bin/windsock`,
    "Write /etc/windsock/windsock.env",
    "Write /etc/systemd/system/windsock.service",
    ...started.map((command) => `Run ${command}`),
  ]);
  expect(commands).toEqual([expect.stringContaining("useradd"), ...started]);
  expect(await readFile(join(root, "usr/local/bin/windsock"), "utf8")).toBe("program");
  const unit = await readFile(join(root, "etc/systemd/system/windsock.service"), "utf8");
  expect(unit).toContain("\nExecStart=/usr/local/bin/windsock serve\n");
  const modeOf = async (path: string) => (await stat(join(root, path))).mode & 0o777;
  expect(await modeOf("usr/local/bin/windsock")).toBe(0o755);
  expect(await modeOf("etc/windsock/windsock.env")).toBe(0o600);
});

test("planSystemd, again, keeps the account and the operator's variables", async () => {
  await mkdir(join(root, "etc/windsock"), { recursive: true });
  await writeFile(
    join(root, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nwindsock:x:990:990::/var/lib/windsock:/bin/false\n",
  );
  await writeFile(join(root, "etc/windsock/windsock.env"), "WINDSOCK_PORT=8080\n");
  const { commands } = await installed({ file: "/usr/local/bin/windsock", args: ["serve"] });
  expect(commands).toEqual(started);
  expect(await readFile(join(root, "etc/windsock/windsock.env"), "utf8")).toBe("WINDSOCK_PORT=8080\n");
});

test("planSystemd refuses variables with which the service would not start, before it does anything", async () => {
  await mkdir(join(root, "etc/windsock"), { recursive: true });
  await writeFile(join(root, "etc/windsock/windsock.env"), "WINDSOCK_PORT=eighty\nWINDSOCK_HOSTS=0.0.0.0\n");
  const refused = await planSystemd({ program: { file: "/opt/windsock", args: ["serve"] }, root }).catch(
    (error: Error) => error.message,
  );
  expect(refused).toContain("The service would not start with /etc/windsock/windsock.env.");
  expect(refused).toMatch(/WINDSOCK_PORT.*WINDSOCK_HOSTS|WINDSOCK_HOSTS.*WINDSOCK_PORT/s);
});

test("planSystemd refuses a comment behind a value, which systemd takes for a part of it", async () => {
  await mkdir(join(root, "etc/windsock"), { recursive: true });
  const write = (text: string) => writeFile(join(root, "etc/windsock/windsock.env"), text);
  const plan = () => planSystemd({ program: { file: "/opt/windsock", args: ["serve"] }, root });
  await write("WINDSOCK_TLS=off # for now\n");
  await expect(plan()).rejects.toThrow("Put the comment behind WINDSOCK_TLS on a line of its own");
  await write(
    '# first\n  # second\nWINDSOCK_MAIL_FROM="School #1 <ops@example.com>"\nWINDSOCK_LINK_URL=https://x.example.com/a\n',
  );
  await plan();
});

test("planSystemd does not say that it writes variables that it can't read", async () => {
  await mkdir(join(root, "etc/windsock/windsock.env"), { recursive: true }); // as root, only this can't be read
  const { texts } = await installed({ file: "/usr/local/bin/windsock", args: ["serve"] });
  expect(texts.filter((text) => text.includes("windsock.env"))).toEqual([]);
});

test("planSystemd leaves the sources where they are, and another account with a similar name alone", async () => {
  await mkdir(join(root, "etc"), { recursive: true });
  await writeFile(join(root, "etc/passwd"), "windsock2:x:991:991::/:/bin/false\n");
  const { texts, commands } = await installed({ file: "/opt/bun", args: ["/srv/windsock/src/main.ts", "serve"] });
  expect(texts.filter((text) => text.startsWith("Copy"))).toEqual([]);
  expect(commands).toEqual([expect.stringContaining("useradd"), ...started]);
  const unit = await readFile(join(root, "etc/systemd/system/windsock.service"), "utf8");
  expect(unit).toContain("\nExecStart=/opt/bun /srv/windsock/src/main.ts serve\n");
});

test("planSystemd puts a new executable in the place of a running one, and follows no link that lies there", async () => {
  const [bin, file] = [join(root, "usr/local/bin"), join(root, "downloaded")];
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "windsock"), "old program");
  await writeFile(join(bin, "other"), "other");
  // What runs has the file, whatever has its name.
  await link(join(bin, "windsock"), join(bin, "running"));
  await symlink(join(bin, "other"), join(bin, "windsock.new"));
  await writeFile(file, "new program");
  await installed({ file, args: ["serve"] });
  const contents = await Promise.all(["windsock", "running", "other"].map((name) => readFile(join(bin, name), "utf8")));
  expect(contents).toEqual(["new program", "old program", "other"]);
});

test("systemdUnit keeps data and variables to the service, and leaves a stop and many schools what they need", () => {
  const lines = systemdUnit(["/bin/true", "serve"], nothing).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "Environment=WINDSOCK_DATA_DIR=/var/lib/windsock",
      // It may be missing: all variables are optional.
      "EnvironmentFile=-/etc/windsock/windsock.env",
      "StateDirectory=windsock",
      "StateDirectoryMode=0700",
      "CacheDirectory=windsock",
      "CacheDirectoryMode=0700",
      "Environment=BUN_TMPDIR=/var/cache/windsock",
      "UMask=0077",
      // The server ends its own processes, after what they do for it.
      "KillMode=mixed",
      "Restart=on-failure",
    ]),
  );
  const numberOf = (name: string) => Number(lines.find((line) => line.startsWith(`${name}=`))?.split("=")[1]);
  expect(numberOf("TimeoutStopSec") * 1000).toBeGreaterThan(stopDeadline);
  expect(numberOf("LimitNOFILE")).toBeGreaterThanOrEqual(comfortableLimit);
});

const named = "WINDSOCK_PUBLIC_URL=https://ops.example.com\n";

test.each<[string, boolean]>([
  ["WINDSOCK_PORT=8080\n", false],
  ["WINDSOCK_TLS=off\nWINDSOCK_HTTP_PORT=\n", false],
  [`# with HTTPS\nWINDSOCK_TLS=auto\n${named}`, true],
  [`WINDSOCK_TLS="auto"\n${named}`, true],
  ["WINDSOCK_PORT=443\n", true],
  [`WINDSOCK_PORT=8443\nWINDSOCK_HTTP_PORT=80\nWINDSOCK_TLS_CERT=/c.pem\nWINDSOCK_TLS_KEY=/k.pem\n${named}`, true],
])("planSystemd allows low ports if the variables need them: %p %p", async (variables, needsThem) => {
  await mkdir(join(root, "etc/windsock"), { recursive: true });
  await writeFile(join(root, "etc/windsock/windsock.env"), variables);
  await installed({ file: "/usr/local/bin/windsock", args: ["serve"] });
  const unit = await readFile(join(root, "etc/systemd/system/windsock.service"), "utf8");
  const capability = needsThem ? "CAP_NET_BIND_SERVICE" : "";
  expect(unit).toContain(`\nCapabilityBoundingSet=${capability}\nAmbientCapabilities=${capability}\n`);
});

test("planSystemd makes the directory of backups, and lets the service write there", async () => {
  await mkdir(join(root, "etc/windsock"), { recursive: true });
  await writeFile(join(root, "etc/windsock/windsock.env"), 'WINDSOCK_BACKUP_DIR="/var/backups/wind sock"\n');
  const { commands } = await installed({ file: "/usr/local/bin/windsock", args: ["serve"] });
  expect(commands).toContain("install -d -o windsock -g windsock -m 700 /var/backups/wind sock");
  const unit = await readFile(join(root, "etc/systemd/system/windsock.service"), "utf8");
  expect(unit).toContain('\nProtectSystem=strict\nReadWritePaths="-/var/backups/wind sock"\n');
  expect(systemdUnit(["/bin/true"], nothing)).not.toContain("ReadWritePaths");
});

test("systemdUnit runs the sources where they are, and quotes what systemd would read otherwise", () => {
  const command = ["/opt/bun", "/srv/wind sock/100%/$a/src/main.ts", "serve"];
  expect(systemdUnit(command, nothing)).toContain(
    '\nExecStart=/opt/bun "/srv/wind sock/100%%/$$a/src/main.ts" serve\n',
  );
});

test("strayVariables names what the shell sets and the service does not have, without values", () => {
  const shell = {
    ...{ WINDSOCK_PUBLIC_URL: "https://ops.example.com", WINDSOCK_SMTP_URL: "smtps://olga:s3cr3t@mail.example.com" },
    ...{ WINDSOCK_PORT: "8080", WINDSOCK_HOST: "", OTEL_SERVICE_NAME: "school", PATH: "/bin" },
  };
  const file = "#WINDSOCK_SMTP_URL=x\nWINDSOCK_PORT=80\nWINDSOCK_PUBLIC_URL=https://ops.example.com\n";
  expect(strayVariables(shell, file)).toEqual([
    "Not in /etc/windsock/windsock.env, so the service runs without what this shell sets: WINDSOCK_SMTP_URL, OTEL_SERVICE_NAME.",
    "Set otherwise for the service than in this shell: WINDSOCK_PORT.",
  ]);
  expect(strayVariables({ WINDSOCK_DATA_DIR: "/var/lib/windsock", PATH: "/bin" }, "")).toEqual([]);
  expect(strayVariables({ WINDSOCK_DATA_DIR: "/srv/data" }, "")).toEqual([
    "Set otherwise for the service than in this shell: WINDSOCK_DATA_DIR.",
  ]);
  expect(strayVariables(shell, undefined)).toEqual([expect.stringContaining("which this account can't read")]);
});

const analyze = Bun.which("systemd-analyze");

test.skipIf(analyze === null)("systemd takes the unit, and rates its exposure as low", async () => {
  const path = join(root, "windsock.service");
  await writeFile(path, systemdUnit(["/bin/true", "serve"], { lowPorts: true, backups: "/var/backups/wind sock" }));
  const verified = Bun.spawnSync([analyze ?? "", "verify", "--man=no", path]);
  expect(verified.stderr.toString()).not.toContain("windsock.service");
  const { stdout } = Bun.spawnSync([analyze ?? "", "security", "--offline=true", "--no-pager", path]);
  const [, exposure] = /Overall exposure level for windsock\.service: ([\d.]+)/.exec(stdout.toString()) ?? [];
  expect(Number(exposure)).toBeLessThan(2.5);
});
