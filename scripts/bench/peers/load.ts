/**
 * The load generator, a process of its own. It writes requests to raw sockets, one at a time on each of them, and reads
 * no more of an answer than its status and its length: `fetch` would cost more than the servers do.
 *
 * Reads a `Load` as JSON from standard input and prints a `Tally`.
 */
import type { Socket } from "bun";
import { type Load, pathOf, type Tally } from "./requests.ts";

const load: Load = await Bun.stdin.json();
const ends = performance.now() + load.seconds * 1000;
let next = load.first;
let answered = 0;
let lastAnswer = performance.now();

const began = performance.now();
await Promise.all(Array.from({ length: load.connections }, ask));
const tally: Tally = { answered, seconds: (lastAnswer - began) / 1000 };
console.log(JSON.stringify(tally));

/** Asks on one connection until the time is over. */
async function ask(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  /** What has come of the next answer's header. */
  let header = "";
  /** How much of its body is still to come; undefined until its header is complete. */
  let missing: number | undefined;

  const send = (socket: Socket<unknown>) => {
    const text = requestText(next);
    next += 1;
    if (socket.write(text) !== text.length) reject(new Error("A request was not written at once."));
  };
  const done = (socket: Socket<unknown>) => {
    answered += 1;
    lastAnswer = performance.now();
    if (lastAnswer < ends) return send(socket);
    resolve();
    socket.end();
  };
  const read = (socket: Socket<unknown>, chunk: Buffer) => {
    if (missing === undefined) {
      header += chunk.toString("latin1");
      const end = header.indexOf("\r\n\r\n");
      if (end < 0) return;
      const body = header.length - end - 4;
      missing = bodyLength(header.slice(0, end)) - body;
      header = "";
    } else {
      missing -= chunk.byteLength;
    }
    if (missing > 0) return;
    if (missing < 0) reject(new Error("An answer is longer than it says."));
    missing = undefined;
    done(socket);
  };
  await Bun.connect({
    hostname: "127.0.0.1",
    port: load.port,
    socket: {
      open: send,
      data: read,
      close: () => reject(new Error("The server closed a connection.")),
      error: (_, error) => reject(error),
    },
  });
  return promise;
}

function requestText(n: number): string {
  const { method, headers, body } = load.request;
  const lines = [
    `${method} ${pathOf(load.request, n)} HTTP/1.1`,
    "host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** @throws when the request was refused, or its answer does not say how long it is */
function bodyLength(header: string): number {
  if (!/^HTTP\/1\.1 20[01] /.test(header)) throw new Error(`${load.request.path}: ${header.split("\r\n", 1)}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(header)?.[1];
  if (length === undefined) throw new Error(`${load.request.path}: an answer without a length.`);
  return Number(length);
}
