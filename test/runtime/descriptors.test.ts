/** A server with few file descriptors, and more schools than it can have open. */
import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { newId } from "../../src/core/ids.ts";
import { signUp } from "../http/accounts/newcomers.ts";
import { afterThisTest } from "../support/after-test.ts";
import { closeInstallations, newInstallation } from "../support/installation.ts";
import { endProcesses, newFolder, oneFile, type Running, startServer, urlOf } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";

afterEach(endProcesses);
afterEach(closeInstallations);

interface SchoolKey {
  org: string;
  key: string;
}

/** Creates a data directory with many schools, each with an API key. */
async function directoryWith(schools: number): Promise<{ directory: string; keys: SchoolKey[] }> {
  const directory = await newFolder();
  const at = await newInstallation({ directory, checked: false });
  const keys: SchoolKey[] = [];
  while (keys.length < schools) {
    const { orgId, token } = await signUp(at, `${newId(at.clock)}@example.com`);
    const body = { name: "Reader", scopes: ["public.pilots:read"] };
    const { data } = (await at.call("POST", `/orgs/${orgId}/integrations/api-keys`, { token, body })).body;
    keys.push({ org: orgId, key: data.token });
  }
  await at.close();
  return { directory, keys };
}

/** The same command with a hard limit of file descriptors. */
const limited = ({ command, ...rest }: Runtime, descriptors: number): Runtime => ({
  ...rest,
  command: ["/bin/sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh", ...command],
});

const pilotsOf = async (url: string, { org, key }: SchoolKey) => {
  const headers = { authorization: `Bearer ${key}`, "x-org-id": org };
  const response = await fetch(`${url}/api/v1/public/pilots`, { headers });
  await response.text();
  return response.status;
};

const logOf = (server: Running): { level: string; msg: string; limit?: number; open_tenants?: number }[] =>
  server
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("more schools are read in turn than the process has descriptors for, again and again", async () => {
  const { directory, keys } = await directoryWith(30);
  const server = await startServer(
    { WINDSOCK_DATA_DIR: directory, WINDSOCK_METRICS: "1" },
    limited(await oneFile(), 128),
  );
  const url = await urlOf(server);
  for (const key of [...keys, ...keys]) expect(await pilotsOf(url, key)).toBe(200);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(Number(/^windsock_open_tenants (\d+)/m.exec(metrics)?.[1])).toBeLessThan(15);
  expect(metrics).toMatch(/^windsock_unavailable_tenants 0$/m);
  expect(logOf(server)).toContainEqual(
    expect.objectContaining({ level: "warn", msg: expect.stringContaining("limit of open files is low"), limit: 128 }),
  );
}, 300_000);

test("/metrics responds without a free descriptor, without the figures that need one or with the last ones", async () => {
  const server = await startServer(
    { WINDSOCK_DATA_DIR: await newFolder(), WINDSOCK_METRICS: "1" },
    limited(await oneFile(), 96),
  );
  const { hostname, port } = new URL(await urlOf(server));
  const open = async () => {
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    afterThisTest(async () => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  const scraper = await open();
  const scrape = async () => {
    scraper.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = "";
    while (!/\r\n0\r\n\r\n$|# TYPE windsock_metrics_age_seconds gauge\n(.+\n)*\n?$/.test(answer))
      answer += String((await once(scraper, "data"))[0]);
    return answer;
  };
  expect(await scrape()).toMatch(/^process_open_fds \d+$/m);

  // A connection is accepted when it has sent something; the kernel keeps those that the process can't accept.
  for (let count = 0; count < 96; count++) (await open()).write("GET /health HTTP/1.1\r\n");
  let answer = await scrape();
  while (/^process_open_fds /m.test(answer)) answer = await scrape();
  expect(answer).toStartWith("HTTP/1.1 200 ");
  expect(answer).toMatch(/^windsock_open_tenants 0$/m);
  expect(answer).toMatch(/^process_resident_memory_bytes \d+$/m); // the last value
}, 300_000);
