/** Errors of the system about a file, for whoever runs the server: the system's own have a code and no advice. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}. Check the path.`,
  EISDIR: (path) => `${path} is a directory, and a file is needed. Name a file.`,
  ENOTDIR: (path) => `${path} can't be used: a part of this path is a file, and a directory is needed. Check the path.`,
  EACCES: mayNotUse,
  EPERM: mayNotUse,
  EROFS: (path) =>
    `${path} can only be read here. A service of systemd may write only where its unit allows it: systemctl edit windsock, and add ReadWritePaths=.`,
  "EEXIST mkdir": (path) => `${path} is a file, and a directory is needed. Name a directory.`,
  EEXIST: (path) => `${path} is there already. Name another path, or move it away.`,
  ENOSPC: diskIsFull,
  EDQUOT: diskIsFull,
  EIO: (path) => `The disk of ${path} can't be read or written. Look at what the system says of it: dmesg.`,
  ENAMETOOLONG: (path) => `The path is too long: ${path}`,
  ELOOP: (path) => `${path} is a link that leads back to itself. Check the path.`,
  EBUSY: (path) => `${path} is in use. Try again, or end what uses it.`,
  EMFILE: (path) => `Too many files are open to open ${path}. Raise the limit: ulimit -n 16384.`,
  ENFILE: (path) => `This machine has too many files open to open ${path}.`,
};

function mayNotUse(path: string): string {
  const uid = process.getuid?.();
  const account = uid === undefined ? "This account" : `This account (uid ${uid})`;
  return `${account} may not use ${path}. Run the command as the account that may, with sudo -u, or change its owner or its mode.`;
}

function diskIsFull(path: string): string {
  return `The disk of ${path} is full. Free some space there.`;
}

/**
 * Returns what is wrong with which file, and what to do; undefined if the error is not one of the system about a file.
 *
 * @param given the path that was worked on: the error of a read from an open file has none
 */
export function systemMessage(error: unknown, given?: string): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  const path = pathIn(error) ?? given;
  if (error.code === "SQLITE_FULL") return path === undefined ? "The disk is full. Free some space." : diskIsFull(path);
  // Errors of this program may have a code, too, and say more.
  if (path === undefined || !error.message.startsWith(`${error.code}:`)) return undefined;
  const call = "syscall" in error ? String(error.syscall) : "";
  return (sentences[`${error.code} ${call}`] ?? sentences[error.code])?.(path);
}

/** Of a copy or a rename, the path that it fails at. */
function pathIn(error: Error): string | undefined {
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  const dest = "dest" in error && typeof error.dest === "string" ? error.dest : undefined;
  return dest !== undefined && (path === undefined || existsSync(path)) ? dest : path;
}

/** Returns the message of anything that was thrown, for whoever runs the server. @param given see `systemMessage` */
export const messageOf = (error: unknown, given?: string): string =>
  systemMessage(error, given) ?? codeLast(error instanceof Error ? error.message : String(error));

/** SQLite's words first, for people, and its code behind them, for a search. */
const codeLast = (message: string): string => message.replace(/^(SQLITE_\w+): (.+)$/s, "$2 ($1)");

/** A file that the operator has named can't be used. The message says why, and what to do. */
export class GivenFileError extends Error {
  override readonly name = "GivenFileError";
  /** That of the system. */
  readonly code: unknown;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  }
}

/** Does something with a file that the operator has named. @throws GivenFileError in place of the system's error */
export async function withGiven<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(path);
  } catch (cause) {
    const message = systemMessage(cause, path);
    throw message === undefined ? cause : new GivenFileError(message, cause);
  }
}

/** Reads a text file that the operator has named, as `withGiven`. */
export const readGiven = (path: string): Promise<string> => withGiven(path, (named) => readFile(named, "utf8"));
