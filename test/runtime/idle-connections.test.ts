/** A stop does not wait for connections on which no request has come, such as browsers open in advance. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { selfSigned } from "../../src/demo/certificate.ts";
import { serve } from "../../src/runtime/serve.ts";
import { serveTls } from "../../src/runtime/serve-tls.ts";
import { afterThisTest } from "../support/after-test.ts";

const host = "127.0.0.1";
const certificate = selfSigned(new Date());

const protocols = {
  http: {
    serve,
    async open(port: number): Promise<Socket> {
      const socket = connect({ port, host });
      await once(socket, "connect");
      return socket;
    },
  },
  https: {
    serve: (options: Parameters<typeof serve>[0]) => serveTls({ ...options, certificate }),
    async open(port: number): Promise<Socket> {
      const socket = connectTls({ port, host, rejectUnauthorized: false });
      await once(socket, "secureConnect");
      return socket;
    },
  },
};

/** Longer than the test may take. */
const longest = 60_000;

const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function firstOf(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, "data");
  return String(bytes).split("\r\n", 1).join();
}

test.each(Object.entries(protocols))(
  "a stop of %s closes a connection without a whole request, and waits for a request that runs",
  async (_, { serve: listen, open }) => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const serving = await listen({
      ...{ host, port: 0, maxBody: 1024 },
      async fetch({ url }) {
        if (url.endsWith("/held")) {
          begun.resolve();
          await held.promise;
        }
        return new Response("served");
      },
    });
    const sockets = await Promise.all([1, 2, 3].map(() => open(serving.port)));
    const [idle, used, running] = sockets as [Socket, Socket, Socket];
    afterThisTest(async () => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on("error", () => undefined);
    idle.write("GET / HTTP/1.1\r\nHo");
    const answered = firstOf(used);
    used.write(request);
    expect(await answered).toBe("HTTP/1.1 200 OK"); // so the server has read the other, too
    const last = firstOf(running);
    running.write(request.replace("/ ", "/held "));
    await begun.promise;

    let isStopped = false;
    const stopped = serving.stop(longest).then(() => {
      isStopped = true;
    });
    await once(used, "close");
    expect(isStopped).toBe(false);
    held.resolve();
    expect(await last).toBe("HTTP/1.1 200 OK");
    await stopped;
    idle.resume();
    if (!idle.destroyed) await once(idle, "close");
  },
  10_000,
);
