import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import process from "node:process";

/**
 * Returns the account on this machine that runs the command, as the kernel knows it. Its name is that of /etc/passwd:
 * the environment, from which Bun and Deno take it, can be set to anything. For root, adds the account that sudo names.
 */
export function operator(): string {
  const uid = process.getuid?.();
  if (uid === undefined) return userInfo().username; // Windows
  const behind = uid === 0 ? /^\d+$/.exec(process.env.SUDO_UID ?? "")?.[0] : undefined;
  return behind === undefined ? account(uid) : `${account(uid)} for ${account(Number(behind))}`;
}

function account(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

function nameOf(uid: number): string | undefined {
  try {
    const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
    return accounts.map((line) => line.split(":")).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}
