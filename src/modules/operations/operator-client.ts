import { request } from "node:http";
import { z } from "zod";
import { Problem } from "../../core/errors.ts";
import { errorCodes, reasonNames } from "../../core/reasons.ts";
import type { Command } from "./command.ts";
import { operatorSocket } from "./operator-socket.ts";

/** No server listens for its operator in this data directory. */
export class NoServer extends Error {
  override readonly name = "NoServer";
}

/**
 * Has the running server carry out a command.
 *
 * @throws NoServer none runs
 * @throws Problem  as the command itself would
 * @throws Error    the server hung up before it had an answer: it stopped, or died
 */
export async function callServer<Args, Result>(
  directory: string,
  command: Command<Args, Result>,
  args: Args,
): Promise<Result> {
  const { status, text } = await post(operatorSocket(directory), `/${command.name}`, JSON.stringify(args));
  const body = parse(text);
  if (status === 200) {
    const answer = z.object({ data: command.result }).safeParse(body);
    if (answer.success) return answer.data.data;
  }
  const refusal = Refusal.safeParse(body);
  if (refusal.success) {
    const { error, issues } = refusal.data;
    const { code, message, reason } = error;
    throw new Problem(code, message, { reason, ...(issues && { issues }) });
  }
  throw new Error(
    "The running server gave an answer that this program does not understand: they may be of different versions.",
  );
}

const Refusal = z.object({
  error: z.object({ code: z.enum(errorCodes), reason: z.enum(reasonNames).optional(), message: z.string() }),
  issues: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no answer of ours: the caller says so
  }
}

interface Answer {
  status: number | undefined;
  text: string;
}

/** There is no time-out: some commands take as long as there is data. A server that dies closes the connection. */
const post = (socketPath: string, path: string, body: string): Promise<Answer> =>
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
        .on("error", (cause) => reject(hungUp(cause)));
    });
    call.on("error", (cause) =>
      reject(isNobodyThere(cause) ? new NoServer("No server runs here.", { cause }) : hungUp(cause)),
    );
    call.end(body);
  });

const hungUp = (cause: Error) =>
  new Error("The server stopped before the command had ended; how far it got, its log says.", { cause });

/** The socket does not exist, or the process that made it is gone. */
const isNobodyThere = (error: Error): boolean =>
  "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED");
