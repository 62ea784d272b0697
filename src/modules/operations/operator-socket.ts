import { join, resolve } from "node:path";
import { sha256 } from "../../core/crypto.ts";

/** Where a server that uses this data directory listens for its operator: a Unix socket, on Windows a named pipe. */
export function operatorSocket(directory: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\windsock-${sha256(resolve(directory)).slice(0, 32)}`;
  return join(resolve(directory), "operator.sock");
}
