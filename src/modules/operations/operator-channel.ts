/**
 * The channel between the command line and a running server: HTTP on a Unix socket in the data directory. Only the user
 * account of the server can open the socket. That account can open the databases too, so there is no other credential.
 */
import { chmod, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { atMost } from "../../core/async.ts";
import { badRequest, notFound, Problem } from "../../core/errors.ts";
import type { OnProgress } from "../../core/progress.ts";
import type { ErrorCode } from "../../core/reasons.ts";
import { systemMessage } from "../../core/system-error.ts";
import { fileIdentity } from "../../storage/file-identity.ts";
import type { OperatorDeps } from "./command.ts";
import { commands } from "./commands.ts";
import { operatorSocket, progressLines } from "./operator-client.ts";

interface ChannelOptions extends OperatorDeps {
  directory: string;
  /** Called with errors of commands that are not a `Problem`. The operator gets a hint to the log. */
  onError(error: unknown): void;
}

export interface OperatorChannel {
  /** Creates the socket again if it was removed. Commands in progress continue. */
  renew(): Promise<void>;
  /** Stops accepting commands and waits for running ones. At the deadline it closes their connections. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Opens the channel. Only the process that holds the lock of the data directory may call this: an existing socket is then
 * from a process that died, and is replaced.
 */
export async function openOperatorChannel({ directory, onError, ...deps }: ChannelOptions): Promise<OperatorChannel> {
  const path = operatorSocket(directory);
  const opened = async () => {
    const server = createServer((request, response) => {
      // The command line may end before the command does.
      response.on("error", () => undefined);
      void respond(deps, request, progressOn(request, response))
        .catch((error: unknown) => errorReply(error, onError))
        .then((reply) => send(response, reply));
    });
    await listenPrivately(server, path);
    return { server, own: fileIdentity(path) };
  };
  let { server, own } = await opened();
  let isClosed = false;
  return {
    async renew() {
      if (isClosed || process.platform === "win32" || fileIdentity(path) !== undefined) return;
      const before = server;
      ({ server, own } = await opened());
      before.close();
    },
    async close(deadlineMs) {
      isClosed = true;
      await atMost(deadlineMs, new Promise((resolve) => server.close(resolve)));
      server.closeAllConnections();
      // Another server's socket stays, if one has replaced this one.
      if (process.platform !== "win32" && fileIdentity(path) === own) await rm(path, { force: true });
    },
  };
}

/** The longest path of a Unix socket on some systems, in bytes. */
const longestPath = 103;

/**
 * The umask decides the mode of a new socket. So the socket is created in a private folder and moved to its path after its
 * mode is set.
 */
async function listenPrivately(server: Server, path: string): Promise<void> {
  if (process.platform === "win32") return listen(server, path);
  if (Buffer.byteLength(path) > longestPath) {
    throw new Error(`${path} is too long for a Unix socket: choose a WINDSOCK_DATA_DIR with a shorter path.`);
  }
  const folder = join(dirname(path), ".operator");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const created = join(folder, "s");
  await listen(server, created);
  await chmod(created, 0o600);
  await rename(created, path);
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

async function respond(
  deps: OperatorDeps,
  request: IncomingMessage,
  onProgress: OnProgress | undefined,
): Promise<Reply> {
  const command = commands.find(({ name }) => request.url === `/${name}`);
  if (request.method !== "POST" || command === undefined) throw notFound("This server has no such command.");
  const result = await command.handle(deps, await readJson(request), onProgress);
  return { status: 200, body: { data: result } };
}

/** Sends a line whenever the command gets further, if the caller reads them. The status of the result is then in its body only. */
function progressOn(request: IncomingMessage, response: ServerResponse): OnProgress | undefined {
  if (request.headers.accept !== progressLines) return undefined;
  return (progress) => {
    if (response.writableEnded || response.destroyed) return;
    if (!response.headersSent) response.writeHead(200, { "content-type": progressLines, connection: "close" });
    response.write(`${JSON.stringify({ progress })}\n`);
  };
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
    throw badRequest("The arguments are not valid JSON.");
  }
}

function errorReply(error: unknown, onError: (error: unknown) => void): Reply {
  if (error instanceof Problem) {
    const { code, reason, message, issues } = error;
    return { status: statusOf(code), body: { error: { code, reason, message }, ...(issues && { issues }) } };
  }
  onError(error);
  const message = systemMessage(error) ?? "The command failed. See the server's log.";
  return { status: 500, body: { error: { code: "SERVER_ERROR", message } } };
}

/** Our client uses the code. The status is for other HTTP clients. */
const statusOf = (code: ErrorCode): number => (code === "NOT_FOUND" ? 404 : code === "SERVER_ERROR" ? 500 : 400);

function send(response: ServerResponse, { status, body }: Reply): void {
  if (!response.headersSent) response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(body));
}
