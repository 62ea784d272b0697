import { afterAll, afterEach, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { hostsFile, parseHosts } from "../../src/events/outbound/hosts-file.ts";
import { createResolve } from "../../src/events/outbound/resolve.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { cleanUp, newDirectory } from "../storage/temporary.ts";
import { stretched } from "../support/limits.ts";
import { newPasswords } from "../support/passwords.ts";
import { newAuthority } from "./certificate.ts";
import { type NameServer, newNameServer } from "./name-server.ts";
import { closeReceivers, newReceiver } from "./receiver.ts";

const none = async () => [];
const servers: NameServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await cleanUp();
});
afterAll(closeReceivers);

async function nameServer(names?: Record<string, readonly number[][]>): Promise<NameServer> {
  const server = await newNameServer(names);
  servers.push(server);
  return server;
}

test("a name's addresses are those of both families", async () => {
  const six = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
  const { at, asked } = await nameServer({
    "both.test": [[93, 184, 215, 14], [93, 184, 215, 15], six],
    "four.test": [[93, 184, 215, 14]],
    "six.test": [six],
    "empty.test": [],
  });
  const resolve = createResolve({ servers: [at], hosts: none });
  expect([...(await resolve("both.test"))].sort()).toEqual(["2606:4700::1111", "93.184.215.14", "93.184.215.15"]);
  expect(await resolve("FOUR.test.")).toEqual(["93.184.215.14"]);
  expect(await resolve("six.test")).toEqual(["2606:4700::1111"]);
  await expect(resolve("empty.test")).rejects.toThrow();
  // No search domain is appended.
  expect(new Set(asked)).toEqual(new Set(["both.test", "four.test", "six.test", "empty.test"]));
});

test("localhost and names in the hosts file are not sent to name servers", async () => {
  const { at, asked } = await nameServer();
  const path = join(await newDirectory(), "hosts");
  await writeFile(path, "10.0.0.7 receiver.school # ours\n");
  const resolve = createResolve({ servers: [at], hosts: hostsFile(path, () => 0) });
  expect(await resolve("receiver.school")).toEqual(["10.0.0.7"]);
  expect(await resolve("Receiver.School.")).toEqual(["10.0.0.7"]);
  expect(await resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
  expect(await resolve("app.localhost.")).toEqual(["127.0.0.1", "::1"]);
  expect(asked).toEqual([]);
});

test("lookups at a name server that does not respond block no password hash, file or delivery", async () => {
  const authority = newAuthority();
  const receiver = await newReceiver(authority.issue("receiver.test"));
  const { at, asked, whenAsked, deny } = await nameServer({ "receiver.test": [[127, 0, 0, 1]] });
  const resolve = createResolve({ servers: [at], hosts: none });
  const send = createSender({
    policy: addressPolicy(["127.0.0.1/32"]),
    keepAlive: false,
    version: "1",
    ca: authority.ca,
    resolve,
  });
  const to = (host: string) => send({ url: `https://${host}:${receiver.port}/`, headers: {}, body: "{}" });
  let ended = 0;
  const slow = Array.from({ length: 64 }, (_, index) => to(`slow${index}.test`).finally(() => (ended += 1)));
  await whenAsked(64);

  const passwords = newPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
  await passwords.hash("correct horse battery");
  await readFile(import.meta.path);
  expect(await to("receiver.test")).toMatchObject({ errorClass: null, status: 204 });
  expect(ended).toBe(0);

  deny();
  for (const outcome of await Promise.all(slow)) expect(outcome.errorClass).toBe("dns");
  expect(asked).toContain("slow63.test");
  send.close();
});

test("a lookup ends at its deadline", async () => {
  const { at } = await nameServer();
  const resolve = createResolve({ servers: [at], hosts: none, deadline: 50 });
  const start = performance.now();
  await expect(resolve("silent.test")).rejects.toThrow();
  expect(performance.now() - start).toBeLessThan(stretched(1000));
});

test("parseHosts reads addresses with all their names, and ignores other lines", () => {
  const text = [
    "# 127.0.0.1 comment",
    "127.0.0.1\tlocalhost Local  # 127.0.0.2 nobody",
    "  ::1 localhost",
    "not-an-address name",
    "1.2.3 name",
    "10.0.0.1",
    "",
    "10.0.0.2 windows\r",
  ].join("\n");
  expect(Object.fromEntries(parseHosts(text))).toEqual({
    localhost: ["127.0.0.1", "::1"],
    local: ["127.0.0.1"],
    windows: ["10.0.0.2"],
  });
});

test("the hosts file is read again after ten seconds, and a missing file has no names", async () => {
  const path = join(await newDirectory(), "hosts");
  let elapsed = 0;
  const find = hostsFile(path, () => elapsed);
  expect(await find("a.test")).toEqual([]);
  await writeFile(path, "10.0.0.1 a.test");
  elapsed = 9999;
  expect(await find("a.test")).toEqual([]);
  elapsed = 10_000;
  expect(await find("a.test")).toEqual(["10.0.0.1"]);
});
