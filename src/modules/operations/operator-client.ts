import { request } from "node:http";
import { connect } from "node:net";
import { resolve as absolute, dirname, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../core/crypto.ts";
import { Problem } from "../../core/errors.ts";
import { issueCodeNames } from "../../core/issues.ts";
import type { OnProgress } from "../../core/progress.ts";
import { errorCodes, reasonNames } from "../../core/reasons.ts";
import type { Command } from "./command.ts";

/** Returns where the server of a data directory listens for commands: a Unix socket, on Windows a named pipe. */
export function operatorSocket(directory: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\windsock-${sha256(absolute(directory)).slice(0, 32)}`;
  return join(absolute(directory), "operator.sock");
}

/** Returns whether a process listens for commands. The socket of a process that died refuses connections. */
export const isServerRunning = (directory: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(operatorSocket(directory), () => {
      connection.destroy();
      resolve(true);
    });
    connection.on("error", () => resolve(false));
  });

/** No server is running in this data directory. */
export class NoServer extends Error {
  override readonly name = "NoServer";
}

/** Asks for lines that say how far the command is, before the one with its result. */
export const progressLines = "application/x-ndjson";

const Line = z.object({
  progress: z.object({
    done: z.int(),
    total: z.int(),
    bytes: z.object({ done: z.int(), total: z.int() }).optional(),
    step: z.string().optional(),
  }),
});

/**
 * Runs a command in the running server.
 *
 * @throws NoServer no server is running
 * @throws Problem  the errors of the command
 * @throws Error    the server stopped or died before it responded
 */
export async function callServer<Args, Result>(
  directory: string,
  command: Command<Args, Result>,
  args: Args,
  onProgress?: OnProgress,
): Promise<Result> {
  const socketPath = operatorSocket(directory);
  const { status, text } = await post({ socketPath, path: `/${command.name}` }, JSON.stringify(args), onProgress);
  const body = parse(text);
  if (status === 200) {
    const parsed = z.object({ data: command.result }).safeParse(body);
    if (parsed.success) return parsed.data.data;
  }
  const failure = ErrorBody.safeParse(body);
  if (failure.success) {
    const { error, issues } = failure.data;
    const { code, message, reason } = error;
    throw new Problem(code, message, { reason, ...(issues && { issues }) });
  }
  throw new Error(
    "The response of the running server is not understood: server and command line may have different versions. Restart the server.",
  );
}

const ErrorBody = z.object({
  error: z.object({ code: z.enum(errorCodes), reason: z.enum(reasonNames).optional(), message: z.string() }),
  issues: z
    .array(
      z.object({
        path: z.string(),
        code: z.enum(issueCodeNames),
        params: z.looseObject({}).default({}),
        message: z.string(),
      }),
    )
    .optional(),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller throws
  }
}

interface OperatorResponse {
  status: number | undefined;
  text: string;
}

/** Has no timeout: the duration of some commands depends on the amount of data. A dying server closes the connection. */
const post = (
  to: { socketPath: string; path: string },
  body: string,
  onProgress: OnProgress | undefined,
): Promise<OperatorResponse> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...(onProgress && { accept: progressLines }) };
    const call = request({ ...to, method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          const lines = (text + chunk).split("\n");
          text = lines.pop() ?? "";
          for (const line of lines) follow(line, onProgress);
        })
        .on("end", () => resolve({ status: response.statusCode, text }))
        .on("error", (cause) => reject(connectionLost(cause)));
    });
    call.on("error", (cause) => reject(failureOf(cause, to.socketPath)));
    call.end(body);
  });

function follow(line: string, onProgress: OnProgress | undefined): void {
  const { data } = Line.safeParse(parse(line));
  if (data !== undefined) onProgress?.(data.progress);
}

function failureOf(cause: Error, socketPath: string): Error {
  const code = "code" in cause ? cause.code : undefined;
  // The socket does not exist, or the process that created it has died.
  if (code === "ENOENT" || code === "ECONNREFUSED") return new NoServer("No server is running.", { cause });
  if (code === "EACCES" || code === "EPERM")
    return new Error(
      `This account may not use ${dirname(socketPath)}. Run the command as the account of the server, such as \`sudo -u windsock windsock …\`.`,
      { cause },
    );
  return connectionLost(cause);
}

const connectionLost = (cause: Error) =>
  new Error("The server stopped before the command finished. Its log says how far the command got.", { cause });
