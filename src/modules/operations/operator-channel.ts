/**
 * How the command line talks to a running server: HTTP on a Unix socket in the data directory that only the account the
 * server runs under may open. Whoever can open it can open the databases too, so there is no other credential.
 */
import { chmod, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { atMost } from "../../core/async.ts";
import { badRequest, notFound, Problem } from "../../core/errors.ts";
import type { ErrorCode } from "../../core/reasons.ts";
import type { OperatorDeps } from "./command.ts";
import { commands } from "./commands.ts";
import { operatorSocket } from "./operator-socket.ts";

interface ChannelOptions extends OperatorDeps {
  directory: string;
  /** What a command failed with that is no `Problem`; the operator is told where to look. */
  onError(error: unknown): void;
}

export interface OperatorChannel {
  /** Takes no more commands; ends after those under way, or at the deadline, at which it hangs up on them. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Opens the channel. To be called by the process that holds the data directory's lock, and by no other: a socket that
 * is there already was left by a process that died, and is replaced.
 */
export async function openOperatorChannel({ directory, onError, ...deps }: ChannelOptions): Promise<OperatorChannel> {
  const path = operatorSocket(directory);
  const server = createServer((request, response) => {
    void answer(deps, request)
      .catch((error: unknown) => refusal(error, onError))
      .then((reply) => send(response, reply));
  });
  await listenPrivately(server, path);
  return {
    async close(deadlineMs) {
      await atMost(deadlineMs, new Promise((resolve) => server.close(resolve)));
      server.closeAllConnections();
      if (process.platform !== "win32") await rm(path, { force: true });
    },
  };
}

/** A Unix socket's address has room for 103 bytes on some systems. */
const longestPath = 103;

/**
 * A socket comes into being with whatever mode the umask leaves, so it is made in a folder nobody else can enter and
 * moved to its place when its mode is right.
 */
async function listenPrivately(server: Server, path: string): Promise<void> {
  if (process.platform === "win32") return listen(server, path);
  if (Buffer.byteLength(path) > longestPath) {
    throw new Error(`${path} is too long for a Unix socket: choose a WINDSOCK_DATA_DIR with a shorter path.`);
  }
  const folder = join(dirname(path), ".operator");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const birthplace = join(folder, "s");
  await listen(server, birthplace);
  await chmod(birthplace, 0o600);
  await rename(birthplace, path);
  await rmdir(folder);
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });

interface Reply {
  status: number;
  body: unknown;
}

async function answer(deps: OperatorDeps, request: IncomingMessage): Promise<Reply> {
  const command = commands.find(({ name }) => request.url === `/${name}`);
  if (request.method !== "POST" || command === undefined) throw notFound("This server has no such command.");
  const result = await command.handle(deps, await readJson(request));
  return { status: 200, body: { data: result } };
}

const longestBody = 64 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > longestBody) throw badRequest("The arguments are too long.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The arguments are no JSON.");
  }
}

function refusal(error: unknown, onError: (error: unknown) => void): Reply {
  if (error instanceof Problem) {
    const { code, reason, message, issues } = error;
    return { status: statusOf(code), body: { error: { code, reason, message }, ...(issues && { issues }) } };
  }
  onError(error);
  return { status: 500, body: { error: { code: "SERVER_ERROR", message: "It failed; the server's log says why." } } };
}

/** The client reads the code; the status is for whoever looks with another tool. */
const statusOf = (code: ErrorCode): number => (code === "NOT_FOUND" ? 404 : code === "SERVER_ERROR" ? 500 : 400);

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(body));
}
