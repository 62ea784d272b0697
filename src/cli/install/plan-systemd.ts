/** The steps of `windsock install --systemd`. Each says what it does before it is done. */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { loadConfig } from "../../config.ts";
import { messageOf } from "../../core/system-error.ts";
import type { Program } from "../../runtime/own-program.ts";
import { account, dataDirectory, environmentAtFirst, environmentFile, needsOf, systemdUnit } from "./systemd-unit.ts";

export interface Step {
  /** For people. */
  text: string;
  /** What it writes, to be shown. */
  content?: string;
  perform(): Promise<void>;
}

interface Machine {
  /** The program that is installed, with the argument to serve. */
  program: Program;
  /** The root of the file system. Tests have their own. */
  root?: string;
  run?: (file: string, args: readonly string[]) => Promise<unknown>;
}

const executable = "/usr/local/bin/windsock";
const unitFile = `/etc/systemd/system/${account}.service`;

export async function planSystemd({ program, root = "/", run = promisify(execFile) }: Machine): Promise<Step[]> {
  // The executable has no other argument. The sources stay where they are.
  const isExecutable = program.args.length === 1;
  const command = [isExecutable ? executable : program.file, ...program.args];
  const at = (path: string) => join(root, path);
  const running = (file: string, ...args: string[]): Step => ({
    text: `Run ${[file, ...args].join(" ")}`,
    perform: async () => void (await run(file, args)),
  });
  const writing = (path: string, content: string, mode: number): Step => ({
    text: `Write ${path}`,
    content,
    perform: () => replace(at(path), mode, (temporary) => writeFile(temporary, content)),
  });

  const steps: Step[] = [];
  if (!(await hasAccount(at("/etc/passwd"))))
    steps.push(running("useradd", "--system", "--home-dir", dataDirectory, "--shell", "/usr/sbin/nologin", account));
  if (isExecutable && program.file !== executable)
    steps.push({
      text: `Copy ${program.file} to ${executable}`,
      // By renaming: a running executable can't be written.
      perform: () => replace(at(executable), 0o755, (temporary) => copyFile(program.file, temporary)),
    });
  const { isThere, text: environment } = await variablesOfService(root);
  if (!isThere) steps.push(writing(environmentFile, environmentAtFirst, 0o600));
  if (isThere && environment !== undefined) requireValid(environment);
  const needs = needsOf(environment ?? "");
  if (needs.backups !== undefined)
    steps.push(running("install", "-d", "-o", account, "-g", account, "-m", "700", needs.backups));
  steps.push(writing(unitFile, systemdUnit(command, needs), 0o644));
  steps.push(running("systemctl", "daemon-reload"));
  steps.push(running("systemctl", "enable", account));
  steps.push(running("systemctl", "restart", account));
  return steps;
}

/** Returns the service's file of variables, or what it is at first. Only root can read it: a dry run of others knows that it is there. */
export async function variablesOfService(root = "/"): Promise<{ isThere: boolean; text: string | undefined }> {
  try {
    return { isThere: true, text: await readFile(join(root, environmentFile), "utf8") };
  } catch (error) {
    return isMissing(error) ? { isThere: false, text: environmentAtFirst } : { isThere: true, text: undefined };
  }
}

/** @throws an error that names the variables with which the service would not start */
function requireValid(environment: string): void {
  // Node reads the value without it.
  const [, commented] = /^\s*(\w+)=[^"'\n]*\s#/m.exec(environment) ?? [];
  if (commented !== undefined)
    throw new Error(
      `Put the comment behind ${commented} on a line of its own in ${environmentFile}: systemd takes it for a part of the value.`,
    );
  try {
    loadConfig(parseEnv(environment));
  } catch (cause) {
    const problems = messageOf(cause);
    throw new Error(`The service would not start with ${environmentFile}. ${problems}`, { cause });
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const hasAccount = async (passwd: string): Promise<boolean> =>
  (await readFile(passwd, "utf8").catch(() => "")).split("\n").some((line) => line.startsWith(`${account}:`));

async function replace(path: string, mode: number, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  await rm(temporary, { force: true });
  await make(temporary);
  await chmod(temporary, mode);
  await rename(temporary, path);
}
