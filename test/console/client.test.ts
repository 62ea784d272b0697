/** The console's client: what any call may meet is handled in one place. */
import { describe, expect, test } from "bun:test";
import { addressOf, type ClientDeps, createClient } from "../../src/console/api/client.ts";
import { Problem, Unreachable } from "../../src/console/api/problem.ts";

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
}

const json = (status: number, body: unknown, headers = {}) => Response.json(body, { status, headers });
const ok = () => json(200, { data: { id: "1" } });
const refused = (status: number, error: object, headers = {}) => json(status, { error }, headers);

function clientAgainst(answers: (() => Response)[], deps: Partial<ClientDeps> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = createClient({
    async fetch(url, { method = "", headers }) {
      sent.push({ url, method, headers: headers as Record<string, string> });
      const answer = answers[sent.length - 1];
      if (!answer) throw new TypeError("There is no answer.");
      return answer();
    },
    token: async () => "first",
    renew: async () => "second",
    stepUp: async () => true,
    orgId: () => "org",
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...deps,
  });
  const approve = () =>
    client.call("POST /orgs/{orgId}/flights/{flightId}/approve", { path: { flightId: "f/1" }, body: { revision: 2 } });
  return { client, sent, waits, approve };
}

describe("a call", () => {
  test("fills the path, and sends the session's token and an Idempotency-Key", async () => {
    const { approve, sent } = clientAgainst([ok]);
    expect(await approve()).toEqual({ data: { id: "1" } } as never);
    expect(sent).toMatchObject([
      { url: "/orgs/org/flights/f%2F1/approve", method: "POST", headers: { authorization: "Bearer first" } },
    ]);
    expect(sent[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("goes on with a renewed session, under the same key", async () => {
    const { approve, sent } = clientAgainst([() => refused(401, { code: "UNAUTHORIZED" }), ok]);
    await approve();
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer first", "Bearer second"]);
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  test("is refused if the session is over and the user gives up", async () => {
    const { approve, sent } = clientAgainst([() => refused(401, { code: "UNAUTHORIZED" })], {
      renew: async () => undefined,
    });
    expect(approve()).rejects.toMatchObject({ status: 401 });
    await Bun.sleep(0);
    expect(sent).toHaveLength(1);
  });

  test("that begins after the session has ended waits for the next one, unless it is a sign-in", async () => {
    const answers = [() => refused(401, { code: "UNAUTHORIZED" }), ok];
    const asked = clientAgainst(answers, { token: async () => undefined });
    await asked.approve();
    expect(asked.sent.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer second"]);
    const signIn = clientAgainst(answers, { token: async () => undefined });
    const body = { email: "ada@new.example", password: "a wrong password" };
    expect(signIn.client.call("POST /auth/login", { body })).rejects.toMatchObject({ status: 401 });
    await Bun.sleep(0);
    expect(signIn.sent).toHaveLength(1);
  });

  test("does not take a wrong code for a session that is over", async () => {
    const { approve, sent } = clientAgainst([() => refused(401, { code: "UNAUTHORIZED", reason: "code_wrong" }), ok]);
    expect(await approve().catch((error: unknown) => error)).toBeInstanceOf(Problem);
    expect(sent).toHaveLength(1);
  });

  test("asks for the second factor, then goes on; without it, it is refused", async () => {
    const stepUp = () => refused(403, { code: "STEP_UP_REQUIRED", reason: "step_up_required" });
    const asked = clientAgainst([stepUp, ok]);
    await asked.approve();
    expect(new Set(asked.sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    const denied = clientAgainst([stepUp, ok], { stepUp: async () => false });
    expect(await denied.approve().catch((error: unknown) => error)).toMatchObject({ code: "STEP_UP_REQUIRED" });
    expect(denied.sent).toHaveLength(1);
  });

  test("waits for its turn as long as the server says, three times, and no longer than 15 seconds", async () => {
    const limited = (seconds: number) => () => refused(429, { code: "RATE_LIMITED" }, { "retry-after": `${seconds}` });
    const patient = clientAgainst([limited(2), limited(15), limited(1), ok]);
    await patient.approve();
    expect(patient.waits).toEqual([2000, 15_000, 1000]);
    const tired = clientAgainst([limited(1), limited(1), limited(1), limited(1), ok]);
    expect(await tired.approve().catch((error: unknown) => error)).toMatchObject({ status: 429, retryAfter: 1 });
    const long = clientAgainst([limited(16), ok]);
    expect(await long.approve().catch((error: unknown) => error)).toMatchObject({ retryAfter: 16 });
    expect(long.waits).toEqual([]);
  });

  test("is unreachable without an answer, and a proxy's page is a problem, too", async () => {
    const { approve } = clientAgainst([]);
    expect(await approve().catch((error: unknown) => error)).toBeInstanceOf(Unreachable);
    const page = clientAgainst([() => new Response("<h1>Bad gateway</h1>", { status: 502 })]);
    expect(await page.approve().catch((error: unknown) => error)).toMatchObject({ status: 502, code: "UNKNOWN" });
  });
});

test("an address has the query without what is empty, and needs each parameter", () => {
  expect(addressOf("GET /orgs/{orgId}/flights", { query: { limit: 5, status: "", from: undefined } }, "o").url).toBe(
    "/orgs/o/flights?limit=5",
  );
  expect(() => addressOf("GET /orgs/{orgId}/flights/{flightId}", {}, "o")).toThrow("flightId");
});

test("a parameter from a link names no other operation", () => {
  for (const flightId of ["..", ".", "../../auth/me", "%2e%2e", "..\\..", "?x", "#x", "\t.."]) {
    const { url } = addressOf("GET /orgs/{orgId}/flights/{flightId}", { path: { flightId } }, "o");
    const { pathname, search, hash } = new URL(url, "http://localhost");
    expect(pathname).toMatch(/^\/orgs\/o\/flights\/[^/]+$/);
    expect(search + hash).toBe("");
  }
});
