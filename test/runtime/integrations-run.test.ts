/** The background work of a running server for integrations. */
import { afterEach, expect, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { stretched } from "../support/limits.ts";
import { endProcesses, newFolder, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

const signUpBody = {
  email: "olga@school.example",
  password: "correct horse battery",
  name: "Olga Owner",
  organization: { name: "Flugschule Egelsbach", kind: "ato" },
};

/** @returns the response's `data` */
async function ask(url: string, method: string, path: string, token?: string, body?: object, org?: string) {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(org !== undefined && { "x-org-id": org }),
    "content-type": "application/json",
  };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}

/** Repeats a request until the response has the expected value. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
async function until(look: () => Promise<any>, isWanted: (data: any) => boolean) {
  const deadline = Date.now() + stretched(10_000);
  for (;;) {
    const data = await look();
    if (isWanted(data)) return data;
    if (Date.now() > deadline) throw new Error(`It stayed ${JSON.stringify(data)}.`);
  }
}

test("a server records the last use of keys, the rest at its stop, and works off replays", async () => {
  const server = await startServer();
  const url = await urlOf(server);
  const { tokens, organization } = await ask(url, "POST", "/auth/signup-org", undefined, signUpBody);
  const owner = tokens.access_token;
  const base = `/orgs/${organization.id}/integrations`;
  const key = { name: "Test", scopes: ["public.pilots:read"] };
  const { id, token } = await ask(url, "POST", `${base}/api-keys`, owner, key);
  const use = () => ask(url, "GET", "/api/v1/public/pilots", token, undefined, organization.id);

  await use();
  const shown = await until(
    () => ask(url, "GET", `${base}/api-keys/${id}`, owner),
    (data) => data.last_used_at !== null,
  );
  expect(shown.last_used_address).toBe("127.0.0.1");

  const period = { since: "2026-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" };
  const replay = await ask(url, "POST", `${base}/replays`, owner, period);
  await until(
    () => ask(url, "GET", `${base}/replays/${replay.id}`, owner),
    ({ status }) => status === "done",
  );

  await use();
  await stop(server);
  const copy = join(await newFolder(), "school.db");
  await copyFile(join(server.directory, `${organization.id}.db`), copy);
  const client = createClient({ url: `file:${copy}` });
  const { rows } = await client.execute("select last_used_at from api_keys");
  client.close();
  // Within the minute it was not written again.
  expect(String(rows[0]?.last_used_at) > shown.last_used_at).toBe(true);
}, 120_000);
