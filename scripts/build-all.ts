/** Builds the executables of all platforms that Bun and the native packages have, and starts those that run on this machine. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundleConsole } from "../src/runtime/bundle-console.ts";
import { compile, type Target } from "./compile.ts";

const root = join(import.meta.dir, "..");

/** By the names of the files. */
const targets: Readonly<Record<string, Target>> = {
  "linux-x64": { bun: "bun-linux-x64", libsql: "linux-x64-gnu", argon2: "linux-x64-gnu" },
  "linux-arm64": { bun: "bun-linux-arm64", libsql: "linux-arm64-gnu", argon2: "linux-arm64-gnu" },
  "linux-x64-musl": { bun: "bun-linux-x64-musl", libsql: "linux-x64-musl", argon2: "linux-x64-musl" },
  "linux-arm64-musl": { bun: "bun-linux-arm64-musl", libsql: "linux-arm64-musl", argon2: "linux-arm64-musl" },
  "macos-x64": { bun: "bun-darwin-x64", libsql: "darwin-x64", argon2: "darwin-x64" },
  "macos-arm64": { bun: "bun-darwin-arm64", libsql: "darwin-arm64", argon2: "darwin-arm64" },
  "windows-x64.exe": { bun: "bun-windows-x64", libsql: "win32-x64-msvc", argon2: "win32-x64-msvc" },
};

/** Returns whether this machine has the platform, the processor and the C library of a target. */
function runsHere({ bun }: Target): boolean {
  const own = `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const hasMusl = existsSync("/lib/ld-musl-x86_64.so.1") || existsSync("/lib/ld-musl-aarch64.so.1");
  const hasGlibc = existsSync("/lib64/ld-linux-x86-64.so.2") || existsSync("/lib/ld-linux-aarch64.so.1");
  if (process.platform !== "linux") return bun === own;
  return (bun === own && hasGlibc) || (bun === `${own}-musl` && hasMusl);
}

/** @throws an executable can't be built, or one for this machine does not start */
export async function buildAll(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "windsock-build-"));
  try {
    const packages = await allPackages(scratch);
    const bundle = await bundleConsole({ development: false });
    const sums: string[] = [];
    for (const [name, target] of Object.entries(targets)) {
      const outfile = join(directory, `windsock-${name}`);
      await compile({ console: bundle, target, packages }, { outfile, target: target.bun });
      sums.push(`${await sha256(outfile)}  ${basename(outfile)}\n`);
      const megabytes = ((await stat(outfile)).size / 1e6).toFixed(0);
      if (runsHere(target)) await tryOut(outfile, join(scratch, name));
      console.log(
        `${outfile}, ${megabytes} MB, ${runsHere(target) ? "started here" : "not started: for other machines"}`,
      );
    }
    await writeFile(join(directory, "SHA256SUMS"), sums.join(""));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Installs the packages of all platforms beside the usual ones. The lock file has their digests. */
async function allPackages(scratch: string): Promise<string> {
  const folder = join(scratch, "packages");
  await mkdir(folder);
  for (const file of ["package.json", "bun.lock"]) await copyFile(join(root, file), join(folder, file));
  const everything = ["--os=*", "--cpu=*", "--libc=*"];
  const install = [process.execPath, "install", "--frozen-lockfile", "--production", "--ignore-scripts", "--silent"];
  const { exitCode, stderr } = Bun.spawnSync([...install, ...everything], { cwd: folder });
  if (exitCode !== 0) throw new Error(`The packages of other platforms can't be installed: ${stderr}`);
  return join(folder, "node_modules");
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

const nobody = 65_534;

/** Starts it from an empty folder, as a user who owns nothing else if this is root. @throws it does not work */
async function tryOut(executable: string, folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(join(folder, ".."), 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const asNobody = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  const server = Bun.spawn([...asNobody, executable], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder, WINDSOCK_PORT: "0", WINDSOCK_LOG_LEVEL: "silent" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let printed = "";
  let answer: Promise<number> | undefined;
  for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const [, url] = /serving at (http:\S+)\s/.exec(printed) ?? [];
    // The sign-up needs both native packages.
    if (url !== undefined) answer ??= signUp(url).finally(() => server.kill("SIGTERM"));
  }
  const code = await server.exited;
  if (code !== 0 || (await answer) !== 201) throw new Error(`${executable} does not work (${code}): ${printed}`);
}

async function signUp(url: string): Promise<number> {
  const account = { email: "olga@example.com", password: "correct horse battery", name: "Olga Owner" };
  const body = JSON.stringify({ ...account, organization: { name: "Windy Hill", kind: "ato" } });
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${url}/auth/signup-org`, { method: "POST", headers, body });
  return status;
}
