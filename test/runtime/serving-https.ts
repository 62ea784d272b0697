/** Tests `serveTls` and the files of a certificate on the runtime that runs this file, and prints the result as one line of JSON. */
import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { connect } from "node:tls";
import { type Certificate, selfSigned } from "../../src/demo/certificate.ts";
import { addressOf, listenFor } from "../../src/runtime/serve.ts";
import { serveHttps } from "../../src/serve-https.ts";

const directory = await mkdtemp(join(tmpdir(), "windsock-https-"));
const paths = { cert: join(directory, "chain.pem"), key: join(directory, "key.pem") };
const logged: string[] = [];
const write = (_details: object, message: string) => void logged.push(message.replaceAll(`${directory}/`, ""));
const log = { debug: write, info: write, warn: write, error: write };

/** As certbot does. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

const pairs = Array.from({ length: 4 }, () => selfSigned(new Date()));
const [first, second, third, other] = pairs as [Certificate, Certificate, Certificate, Certificate];
const ca = pairs.map(({ cert }) => cert).join("\n");

const listen = (fetch: (request: Request) => Response | Promise<Response>) =>
  serveHttps({
    config: { host: "127.0.0.1", port: 0, dataDir: directory, publicUrl: "https://127.0.0.1" },
    tls: { kind: "files", ...paths, httpPort: undefined },
    maxBody: 1024 * 1024,
    every: 50,
    log,
    fetch,
  });

async function served(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", ca });
  await once(socket, "secureConnect");
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return Buffer.from(raw).toString("base64");
}

const isServed = async (port: number, { cert }: Certificate) => {
  const der = cert.replaceAll(/-----[^-]+-----|\n/g, "");
  return (await served(port)) === der;
};

const ask = (port: number, agent: Agent | false, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const req = request({ host: "127.0.0.1", port, ca, agent, method: "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    req.on("error", reject);
    req.end(body);
  });

/** Changes the files while clients with and without kept connections send requests. */
async function changeUnderLoad() {
  await replace(paths.cert, first.cert);
  await replace(paths.key, first.key);
  const server = await listen(
    async (request) => new Response(`${addressOf(request)} ${(await request.text()).length}`),
  );
  const failures: string[] = [];
  const answers = new Set<string>();
  let isOver = false;
  let ended = 0;
  const client = async (agent: Agent | false) => {
    while (!isOver) {
      await ask(server.port, agent, "x".repeat(20_000)).then(
        (answer) => answers.add(answer),
        (error: Error) => failures.push(error.message),
      );
      ended += 1;
    }
  };
  const moreRequests = () => {
    const enough = ended + 20;
    return until(() => ended >= enough);
  };
  const kept = () => new Agent({ keepAlive: true, maxSockets: 1 });
  // On Deno, a kept connection of the client sends a POST again when it is aborted: see src/runtime/quirks.ts.
  const load = [false as const, false as const, kept(), kept()].map(client);
  const before = await isServed(server.port, first);
  await replace(paths.cert, second.cert);
  await until(() => logged.some((line) => line.includes("is not that of")));
  const mismatched = await isServed(server.port, first);
  await moreRequests();
  await replace(paths.key, second.key);
  await until(() => isServed(server.port, second));
  await moreRequests();
  // Half-written, in place.
  await writeFile(paths.cert, third.cert.slice(0, 200));
  await until(() => logged.some((line) => line.includes("holds no certificate")));
  const halfWritten = await isServed(server.port, second);
  await moreRequests();
  await writeFile(paths.key, third.key);
  await writeFile(paths.cert, third.cert);
  await until(() => isServed(server.port, third));
  await moreRequests();
  isOver = true;
  await Promise.all(load);
  await server.stop(1000);
  return { before, mismatched, halfWritten, failures, answers: [...answers], logged };
}

async function withoutTls() {
  const server = await listen(async () => new Response("served"));
  const socket = connectPlain(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: ops.example.com\r\n\r\n");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  await once(socket, "close");
  await server.stop(0);
  return answer.startsWith("HTTP") ? answer : "closed";
}

/** What the server behind the relay says to a connection that is not the relay's. */
async function unknownPeer() {
  const options = { host: "127.0.0.1", port: 0, maxBody: 1024, fetch: () => new Response("served") };
  const listener = listenFor(options, () => null);
  const { status } = await fetch(`http://127.0.0.1:${listener.port}`);
  await listener.closeNow();
  return status;
}

async function stopAmidABody() {
  const arrived = Promise.withResolvers<void>();
  const server = await listen(async (request) => {
    arrived.resolve();
    return new Response(`${(await request.text()).toUpperCase()}${"!".repeat(500_000)}`);
  });
  const socket = connect({ port: server.port, host: "127.0.0.1", ca });
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  socket.write("POST / HTTP/1.1\r\nHost: localhost.example\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst");
  await arrived.promise;
  const stopped = server.stop(60_000);
  socket.write("-rest");
  await once(socket, "close");
  await stopped;
  const late = await served(server.port).catch(() => "refused");
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  return { start: body.slice(0, 10), length: body.length, late };
}

async function badPairAtStart() {
  await replace(paths.key, other.key);
  return listen(() => new Response()).then(
    () => "listens",
    (error: Error) => error.message.replaceAll(`${directory}/`, ""),
  );
}

const results = {
  changeUnderLoad: await changeUnderLoad(),
  withoutTls: await withoutTls(),
  unknownPeer: await unknownPeer(),
  stopAmidABody: await stopAmidABody(),
  badPairAtStart: await badPairAtStart(),
};
await rm(directory, { recursive: true });
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit();
