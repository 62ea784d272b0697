/** A data directory that goes away under the server, for example with its mount, and comes back. */
import { afterEach, expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { times } from "../support/school.ts";
import { endProcesses, newFolder, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

const post = (url: string, body: object) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

test("without its data directory the server answers 503, also to probes, and heals when it is back", async () => {
  const directory = join(await newFolder(), "data");
  const server = await startServer({ WINDSOCK_DATA_DIR: directory });
  const url = await urlOf(server);
  const credentials = { email: "olga@example.com", password: "correct horse battery" };
  const signUp = (email: string) =>
    post(`${url}/auth/signup-org`, {
      ...{ ...credentials, email, name: "Olga" },
      organization: { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" },
    });
  const statuses = async () => {
    const ready = await fetch(`${url}/health/ready`);
    const health = await fetch(`${url}/health`);
    const logIn = await post(`${url}/auth/login`, credentials);
    return { health: health.status, ready: ready.status, logIn: logIn.status };
  };
  expect((await signUp(credentials.email)).status).toBe(201);
  expect(await statuses()).toEqual({ health: 200, ready: 200, logIn: 200 });

  await rename(directory, `${directory}.away`);
  expect((await signUp("other@example.com")).status).toBe(503);
  expect(await statuses()).toEqual({ health: 200, ready: 503, logIn: 503 });
  await server.shows("stdout", /If its directory comes back as it was, the server goes on by itself/);

  await rename(`${directory}.away`, directory);
  expect(await statuses()).toEqual({ health: 200, ready: 200, logIn: 200 });
  const answers = await Promise.all(times(2, (index) => signUp(`later${index}@example.com`)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
}, 120_000);
