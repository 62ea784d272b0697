import { request } from "node:http";
import { connect } from "node:net";
import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../core/crypto.ts";
import { Problem } from "../../core/errors.ts";
import { issueCodeNames } from "../../core/issues.ts";
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
): Promise<Result> {
  const { status, text } = await post(operatorSocket(directory), `/${command.name}`, JSON.stringify(args));
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
const post = (socketPath: string, path: string, body: string): Promise<OperatorResponse> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const call = request({ socketPath, path, method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          text += chunk;
        })
        .on("end", () => resolve({ status: response.statusCode, text }))
        .on("error", (cause) => reject(connectionLost(cause)));
    });
    call.on("error", (cause) =>
      reject(isNotListening(cause) ? new NoServer("No server is running.", { cause }) : connectionLost(cause)),
    );
    call.end(body);
  });

const connectionLost = (cause: Error) =>
  new Error("The server stopped before the command finished. Its log says how far the command got.", { cause });

/** The socket does not exist, or the process that created it has died. */
const isNotListening = (error: Error): boolean =>
  "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED");
