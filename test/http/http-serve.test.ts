import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { addressOf, keepOpen, serve } from "../../src/runtime/serve.ts";
import { onStopSignal } from "../../src/runtime/signals.ts";
import { movableClock, TOKEN, toyApp } from "./http-toy-app.ts";

const local = { host: "127.0.0.1", port: 0, maxBody: 4 * 1024 * 1024 };
const json = { "content-type": "application/json" };

test("serve passes the peer's address to the application", async () => {
  const { app } = toyApp({ clock: movableClock(), addressOf });
  const server = await serve({ ...local, fetch: app.fetch });
  const answer = await fetch(`${server.url}/echo`, { method: "POST", headers: json, body: '{"password":"12345678"}' });
  expect(await answer.json()).toEqual({ data: { address: "127.0.0.1" } });
  await server.stop(0);
});

test("serve leaves the 413 to the application, whose envelope has a message", async () => {
  const { app } = toyApp({ clock: movableClock(), addressOf });
  const server = await serve({ ...local, fetch: app.fetch });
  const answer = await fetch(`${server.url}/echo`, {
    method: "POST",
    headers: json,
    body: "x".repeat(2 * 1024 * 1024),
  });
  expect([answer.status, (await answer.json()).error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  await server.stop(0);
});

test("a server on all addresses has a URL that can be opened", async () => {
  const { app } = toyApp({ clock: movableClock(), addressOf });
  const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
  const hosts = { "0.0.0.0": "127.0.0.1", ...(hasIPv6 && { "::": "[::1]", "::1": "[::1]" }) };
  for (const [host, dialled] of Object.entries(hosts)) {
    const server = await serve({ ...local, host, fetch: app.fetch });
    expect(server.url).toBe(`http://${dialled}:${server.port}`);
    await server.stop(0);
  }
});

// In real time: the limit is Bun's own. It looks at silent connections every four seconds.
test("a request that is kept open gets its response after Bun's limit of silence, which then applies again", async () => {
  const server = await serve({
    ...local,
    idleSeconds: 1,
    async fetch(request) {
      const kept = request.url.endsWith("/cut") ? undefined : keepOpen(request);
      if (request.url.endsWith("/ended")) kept?.[Symbol.dispose]();
      const { promise, resolve } = Promise.withResolvers<Response>();
      setTimeout(resolve, 9000, new Response("done"));
      return promise;
    },
  });
  const bodyOf = async (path: string) => (await fetch(server.url + path)).text();
  const [kept, ...cut] = await Promise.allSettled(["/kept", "/cut", "/ended"].map(bodyOf));
  expect(kept).toEqual({ status: "fulfilled", value: "done" });
  expect(cut.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await server.stop(0);
}, 120_000);

// In real time, too.
test("a list as CSV whose pages take longer than the limit of silence is sent to its end, where each is kept open", async () => {
  const { toy, app, orgId } = toyApp({ clock: movableClock(), keepOpen });
  toy.beforeNextPage = () => new Promise((resolve) => setTimeout(resolve, 9000));
  const server = await serve({ ...local, idleSeconds: 1, fetch: app.fetch });
  const list = await fetch(`${server.url}/orgs/${orgId}/gliders`, {
    headers: { authorization: `Bearer ${TOKEN}`, accept: "text/csv" },
  });
  expect((await list.text()).match(/Ka 8/g)).toHaveLength(2);
  await server.stop(0);
}, 120_000);

/** A server whose handler waits until the test lets it respond. */
async function slowServer() {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const server = await serve({
    ...local,
    async fetch() {
      arrived.resolve();
      await release.promise;
      return new Response("done");
    },
  });
  return { server, arrived: arrived.promise, release: release.resolve };
}

test("stop waits for a request in flight and accepts no new one", async () => {
  const { server, arrived, release } = await slowServer();
  const answer = fetch(server.url);
  await arrived;
  const stopped = server.stop(60_000);
  expect(fetch(server.url)).rejects.toThrow();
  release();
  expect(await (await answer).text()).toBe("done");
  await stopped;
});

test("stop closes connections still in flight at the deadline", async () => {
  const { server, arrived } = await slowServer();
  const answer = fetch(server.url).then(
    () => "answered",
    () => "cut",
  );
  await arrived;
  await server.stop(1);
  expect(await answer).toBe("cut");
});

test("onStopSignal calls its handler once, and never after its removal", () => {
  const seen: string[] = [];
  const forget = onStopSignal((signal) => void seen.push(signal));
  process.emit("SIGTERM");
  forget();
  const keep = () => undefined;
  process.on("SIGINT", keep);
  process.emit("SIGINT");
  process.off("SIGINT", keep);
  expect(seen).toEqual(["SIGTERM"]);
});
