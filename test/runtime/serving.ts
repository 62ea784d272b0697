/** Tests `serve` on the runtime that runs this file, and prints the result as one line of JSON. */
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { addressOf, serve } from "../../src/runtime/serve.ts";

const local = { host: "127.0.0.1", port: 0, maxBody: 1024 };

/** Stops the server while a body arrives, sends a new request, and then the rest of the body. */
async function stopAmidABody() {
  const arrived = Promise.withResolvers<string | undefined>();
  const server = await serve({
    ...local,
    async fetch(request) {
      arrived.resolve(addressOf(request));
      return new Response((await request.text()).toUpperCase());
    },
  });
  const socket = connect(server.port, local.host);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  socket.write("POST / HTTP/1.1\r\nHost: localhost.example\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst");
  const peer = await arrived.promise;

  const stopped = server.stop(60_000);
  const late = await fetch(server.url).then(
    ({ ok }) => (ok ? "served" : "refused"),
    () => "refused",
  );
  socket.write("-rest");
  await once(socket, "close");
  await stopped;
  return { peer, late, status: answer.split("\r\n")[0], body: answer.split("\r\n\r\n")[1] };
}

/** Stops a server whose handler never responds. */
async function stopAtTheDeadline() {
  const arrived = Promise.withResolvers<void>();
  const server = await serve({
    ...local,
    fetch() {
      arrived.resolve();
      return new Promise(() => undefined);
    },
  });
  const answer = fetch(server.url).then(
    () => "answered",
    () => "cut",
  );
  await arrived.promise;
  await server.stop(1);
  return await answer;
}

/** As a load balancer checks: without the header `Host`. */
async function withoutHost() {
  const server = await serve({
    ...local,
    fetch: async (request) => new Response(`${request.method} ${new URL(request.url).pathname} ${addressOf(request)}`),
  });
  const socket = connect(server.port, local.host);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  socket.write("GET /health/ready HTTP/1.0\r\n\r\n");
  await once(socket, "close");
  await server.stop(0);
  return [answer.slice("HTTP/1.x ".length).split("\r\n")[0], answer.split("\r\n\r\n")[1]];
}

async function failing() {
  const server = await serve({ ...local, fetch: () => Promise.reject(new Error("a secret")) });
  const answer = await fetch(server.url);
  const text = await answer.text();
  await server.stop(0);
  return [answer.status, text];
}

async function portInUse() {
  const server = await serve({ ...local, fetch: () => new Response() });
  const message = await serve({ ...local, port: server.port, fetch: () => new Response() }).then(
    () => "listens twice",
    (error: Error) => error.message.replace(String(server.port), "PORT"),
  );
  await server.stop(0);
  return message;
}

async function noSuchHost() {
  return serve({ ...local, host: "nowhere.invalid", fetch: () => new Response() }).then(
    () => "listens",
    (error: Error) => /^Can't listen on nowhere.invalid, .*WINDSOCK_HOST/.test(error.message),
  );
}

const results = {
  // First: after another failure, Bun gives this one the same code.
  noSuchHostNamesItsVariable: await noSuchHost(),
  amidABody: await stopAmidABody(),
  atTheDeadline: await stopAtTheDeadline(),
  withoutHost: await withoutHost(),
  failing: await failing(),
  portInUse: await portInUse(),
};
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit();
