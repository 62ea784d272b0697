import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

/** The last characters of its output that a message shows. */
const shown = 500;

/**
 * Runs the operator's command with the path of a backup as its last argument. No shell reads it: the command is a program, and
 * words after it are its first arguments.
 *
 * @throws Error it can't be started or fails
 */
export async function runOffSite(command: string, backup: string, stopping: AbortSignal): Promise<void> {
  const [file = "", ...args] = command.split(/\s+/).filter((word) => word !== "");
  // Without the secrets of this program, which are in its environment.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_")));
  const child = spawn(file, [...args, backup], { env, stdio: ["ignore", "pipe", "pipe"], signal: stopping });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-shown);
    });
  const [code, signal] = await once(child, "close").catch((cause: Error) => {
    throw new Error(`${file} can't be run: ${cause.message}`, { cause });
  });
  if (code !== 0) throw new Error(`${file} ended with ${code ?? signal}: ${output.trim()}`);
}
