/** Tests the features for integrators and operators except deliveries, on any runtime. */
import { expect } from "bun:test";
import { stretched } from "../support/limits.ts";
import type { Inbox } from "./inbox.ts";

interface Credentials {
  url: string;
  org: string;
  /** The owner's access token. */
  token: string;
}

interface Sent {
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a request, and returns the response with its headers. */
const asking =
  ({ url, org, token }: Credentials) =>
  async (status: number, method: string, path: string, { body, headers }: Sent = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "x-org-id": org,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect([method, path, answer.status, text]).toEqual([method, path, status, text]);
    // biome-ignore lint/suspicious/noExplicitAny: of every shape
    return { headers: answer.headers, text, data: (text.startsWith("{") ? JSON.parse(text).data : undefined) as any };
  };

/** @param inbox receives deliveries of this story only */
export async function playTheIntegrator(credentials: Credentials, inbox: Inbox): Promise<void> {
  await useKeys(credentials);
  await repeatAPost(credentials);
  const endpoint = await sendHeaders(credentials, inbox);
  await replayMany(credentials, inbox, endpoint);
  await endTheEndpoint(credentials, inbox, endpoint);
  await lookAsTheOperator(credentials);
}

/** Allowed networks, a rotation with its grace period, and unchanged lists. */
async function useKeys(owner: Credentials): Promise<void> {
  const base = `/orgs/${owner.org}/integrations/api-keys`;
  const ask = asking(owner);
  const newKey = async (more: object) =>
    (await ask(201, "POST", base, { body: { name: "Reader", scopes: ["public.pilots:read"], ...more } })).data;
  const pilots = (token: string) => ({
    ask: (status: number, headers = {}) =>
      asking({ ...owner, token })(status, "GET", "/api/v1/public/pilots", { headers }),
  });

  const { token: elsewhere } = await newKey({ allowed_networks: ["203.0.113.0/24"] });
  await pilots(elsewhere).ask(401);
  const old = await newKey({ allowed_networks: ["127.0.0.0/8"] });
  const { data: rotated } = await ask(200, "POST", `${base}/${old.id}/rotate`, { body: { grace_hours: 1 } });
  for (const token of [old.token, rotated.token]) {
    const etag = (await pilots(token).ask(200)).headers.get("etag") ?? "";
    expect((await pilots(token).ask(304, { "if-none-match": etag })).text).toBe("");
  }
  await ask(200, "DELETE", `${base}/${old.id}`);
  for (const token of [old.token, rotated.token]) await pilots(token).ask(401);
}

async function repeatAPost(owner: Credentials): Promise<void> {
  const add = () =>
    asking(owner)(201, "POST", `/orgs/${owner.org}/people`, {
      headers: { "idempotency-key": '"8e03978e-40d5-43dd-bc93-6894a57f9324"' },
      body: { name: "Once Only", types: ["student"] },
    });
  const [first, repeat] = [await add(), await add()];
  expect(repeat.text).toBe(first.text);
  expect(repeat.headers.get("idempotency-replayed")).toBe("true");
}

/** @returns the endpoint's id */
async function sendHeaders(owner: Credentials, inbox: Inbox): Promise<string> {
  const integrations = `/orgs/${owner.org}/integrations`;
  const ask = asking(owner);
  const { data: endpoint } = await ask(201, "POST", `${integrations}/webhook-endpoints`, {
    body: { url: inbox.url, event_types: ["flight.approved"], headers: { "X-Gateway-Token": "for the gateway" } },
  });
  const ping = await ask(201, "POST", `${integrations}/webhook-endpoints/${endpoint.id}/ping`);
  expect((await inbox.take("webhook.test")).headers["x-gateway-token"]).toBe("for the gateway");
  const delivery = await until(
    () => ask(200, "GET", `${integrations}/deliveries/${ping.data.delivery_ids[0]}`),
    ({ data }) => data.status === "succeeded",
  );
  expect(delivery.data.attempts[0].request_headers["X-Gateway-Token"]).toMatch(/^\W+$/);
  expect(delivery.text).not.toContain("for the gateway");
  return endpoint.id;
}

async function replayMany(owner: Credentials, inbox: Inbox, endpoint: string): Promise<void> {
  const replays = `/orgs/${owner.org}/integrations/replays`;
  const ask = asking(owner);
  const body = { since: "2026-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z", only: "undelivered" };
  const { data: begun } = await ask(202, "POST", replays, { body: { ...body, endpoint_id: endpoint } });
  const { data: done } = await until(
    () => ask(200, "GET", `${replays}/${begun.id}`),
    ({ data }) => data.status === "done",
  );
  expect(done).toMatchObject({ queued: 1, progress: 1 }); // the only approved flight
  await inbox.take("flight.approved");
}

/** Makes the receiver return 410, which disables the endpoint. */
async function endTheEndpoint(owner: Credentials, inbox: Inbox, endpoint: string): Promise<void> {
  const path = `/orgs/${owner.org}/integrations/webhook-endpoints/${endpoint}`;
  const ask = asking(owner);
  inbox.answer = (response) => void response.writeHead(410).end();
  await ask(201, "POST", `${path}/ping`);
  const { data } = await until(
    () => ask(200, "GET", path),
    ({ data: { enabled } }) => !enabled,
  );
  expect(data.disabled_reason).toBe("gone");
  expect((await ask(200, "GET", `${path}/health`)).data).toMatchObject({ attempts: 3, succeeded: 2 });
  await ask(409, "POST", `${path}/ping`);
}

async function lookAsTheOperator(owner: Credentials): Promise<void> {
  const ask = asking(owner);
  expect((await ask(200, "GET", "/debug/dispatcher")).data).toMatchObject({ in_flight: expect.any(Number) });
  const { text } = await ask(200, "GET", "/metrics");
  expect(text).toMatch(/^windsock_webhook_attempts_total\{outcome="succeeded"\} [1-9]/m);
  expect(text).toMatch(new RegExp(`^windsock_webhook_backlog\\{organization="${owner.org}"\\} [1-9]`, "m"));
}

/** Repeats until the value is as expected: it is recorded shortly after the delivery. */
async function until<T>(look: () => Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  const deadline = Date.now() + stretched(10_000);
  for (;;) {
    const found = await look();
    if (isWanted(found)) return found;
    if (Date.now() > deadline) throw new Error(`It stayed ${JSON.stringify(found)}.`);
  }
}
