/** Generated from the list of routes and from the document: includes every field, parameter and route added later. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commits } from "../../support/databases.ts";
import { bodyOf, type Parameter, resolve } from "../../support/document.ts";
import type { Answer, Call } from "../../support/installation.ts";
import type { Prepared, StagedRoute } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newStage, prepare, routeNamed, routeNames, type Stage } from "../../support/stage.ts";
import { noIds, SECRET, spoil, spoilQuery } from "./spoil.ts";
import { unreadable } from "./unreadable.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await newStage();
});
afterAll(() => stage.installation.close());

/** The expected error response. */
interface Refusal {
  status: number;
  code: string;
  /** The path that an issue must have; no issues if the request can't be read. */
  at?: string;
}

/** Returns how a response differs from the expected error; `undefined` if it does not differ. */
function complaint({ status, body, text }: Answer, wanted: Refusal): string | undefined {
  const code: unknown = body?.error?.code;
  const paths: string[] = (body?.issues ?? []).map(({ path }: { path: string }) => path);
  const { at } = wanted;
  if (status !== wanted.status || code !== wanted.code)
    return `${status} ${code} instead of ${wanted.status} ${wanted.code}: ${text.slice(0, 300)}`;
  if (at === undefined && paths.length > 0) return `has issues: ${paths}`;
  if (at !== undefined && !paths.some((path) => path === at || path.startsWith(`${at}.`)))
    return `no issue at ${at}, but at ${paths}`;
  if (text.includes(SECRET)) return "repeats the value";
  return undefined;
}

/** Sends invalid requests to one route, collects unexpected responses, and checks that no row has changed. */
class Refusals {
  readonly #found: string[] = [];
  readonly #route: StagedRoute;
  readonly #credentials: readonly Call[];
  #sent = 0;
  #isLimited = false;
  readonly right: Prepared;

  constructor(route: StagedRoute, right: Prepared, credentials: readonly Call[]) {
    this.#route = route;
    this.right = right;
    this.#credentials = credentials;
  }

  async demand(
    what: string,
    wanted: Refusal,
    { path = this.right.path, ...call }: Call & { path?: string },
  ): Promise<void> {
    const given = what.includes(SECRET) ? "" : what;
    try {
      const answer = await this.#send(path, call);
      const wrong = complaint(answer, wanted);
      if (wrong) this.#found.push(`${given} ${wanted.at ?? ""}: ${wrong}`);
    } catch (error) {
      this.#found.push(`${given} ${wanted.at ?? ""}: ${error}`);
    }
  }

  /** Sends within the rate limits, which count a request before its input is validated: each from another address. */
  async #send(path: string, call: Call): Promise<Answer> {
    this.#sent += 1;
    const from = `10.0.${this.#sent >> 8}.${this.#sent & 255}`;
    const credentials = this.#credentials[this.#sent % this.#credentials.length];
    const send = () => stage.installation.call(this.#route.method, path, { from, ...credentials, ...call });
    const answer = await send();
    this.#isLimited ||= /"(pings|replays)"/.test(answer.headers.get("ratelimit-policy") ?? "");
    if (answer.status !== 429) return answer;
    stage.installation.clock.advance(60_000);
    return send();
  }

  /** Waits until the organization's limits are available again. */
  rest(): void {
    if (this.#isLimited) stage.installation.clock.advance(60_000);
  }

  get found(): readonly string[] {
    return this.#found;
  }
}

/** Routes with a small limit for each user: invalid requests to them come from several users. */
const limitedPerUser: readonly string[] = ["POST /auth/password"];

const callersFor = (route: StagedRoute, right: Prepared): Promise<Call[]> =>
  Promise.all(Array.from({ length: limitedPerUser.includes(route.name) ? 16 : 1 }, () => credentialsFor(route, right)));

async function credentialsFor({ security }: StagedRoute, { caller, from }: Prepared): Promise<Call> {
  const { school } = stage;
  if (typeof security === "object") return { token: await school.apiKey(security.scope), org: school.orgId };
  const isMember = ["organization", "named-organization", "user-or-member"].includes(security);
  if (isMember) return { token: caller ?? school.owner.token };
  // Its own session, because the route may end it.
  if (security === "user") return { token: caller ?? (await school.join(["student"])).token };
  return from === undefined ? {} : { from };
}

const invalid = (at: string): Refusal => ({ status: 400, code: "VALIDATION_ERROR", at });
const nothingThere: Refusal = { status: 404, code: "NOT_FOUND" };
/**
 * Names in paths are ids, and a malformed id is a 404. A job's name and a student invite's token have other formats, and
 * other responses in the contract.
 */
const refusalOf = (template: string, id: string): Refusal => {
  const form = forms[template];
  if (!form || form.test(id) || id === "%ZZ") return nothingThere;
  return { status: 400, code: "BAD_REQUEST" };
};
const forms: Record<string, RegExp> = {
  "/debug/schedulers/{name}": /^[a-z][a-z0-9-]{0,63}$/,
  "/auth/student-invites/{token}": /^[A-Za-z0-9_-]{43}$/,
};
const tooLarge: Refusal = { status: 413, code: "PAYLOAD_TOO_LARGE" };

async function spoilBody(refusals: Refusals, { operation, limits }: StagedRoute): Promise<void> {
  const media = operation && bodyOf(operation);
  if (!media) return;
  const { body } = refusals.right;
  const text = JSON.stringify(body);
  for (const { what, status, code, body: make, headers = {} } of unreadable(text, limits))
    await refusals.demand(`A body ${what}`, { status, code }, { body: make(), headers });
  for (const value of [null, false, 7, [], [body], SECRET])
    await refusals.demand("A body that is no object", invalid("body"), { body: JSON.stringify(value) });
  if (operation.requestBody?.required) await refusals.demand("No body", invalid("body"), { body: "" });
  const rest = text === "{}" ? "}" : `,${text.slice(1)}`;
  const polluted = `{"__proto__":{"admin":"${SECRET}"}${rest}`;
  await refusals.demand("A prototype", invalid("body.__proto__"), { body: polluted });
  for (const { what, at, value } of spoil(stage.document, media.schema, body, "body"))
    await refusals.demand(`${what} (${JSON.stringify(value)?.slice(0, 200)})`, invalid(at), {
      body: JSON.stringify(value),
    });
}

async function spoilParameters(refusals: Refusals, { operation, template }: StagedRoute): Promise<void> {
  const body = refusals.right.body === undefined ? {} : { body: refusals.right.body };
  const { path } = refusals.right;
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === "query");
  for (const { name, schema } of query) {
    // A share token is a credential: a wrong one gets the same answer as an unknown one.
    const refusal = name === "token" && template.startsWith("/public/") ? nothingThere : invalid(`query.${name}`);
    for (const value of spoilQuery(stage.document, schema)) {
      const written = value === "%zz" ? value : encodeURIComponent(value);
      await refusals.demand(`?${name}=${JSON.stringify(value).slice(0, 80)}`, refusal, {
        path: `${path}?${name}=${written}`,
      });
    }
    const twice = `${name}=${example({ schema })}`;
    await refusals.demand(`${name} twice`, invalid(`query.${name}`), { path: `${path}?${twice}&${twice}` });
  }
  if (["from", "to"].every((end) => query.some(({ name }) => name === end))) {
    const period = new URLSearchParams(refusals.right.query);
    period.set("from", "2026-06-15T00:00:00Z");
    period.set("to", "2026-06-14T00:00:00Z");
    await refusals.demand("from after to", invalid("query.to"), { path: `${path}?${period}` });
  }

  const segments = template.split("/");
  for (const [index, segment] of segments.entries()) {
    if (!segment.startsWith("{")) continue;
    for (const id of noIds) {
      const elsewhere = path.split("/").with(index, id).join("/");
      const refusal = refusalOf(template, id);
      await refusals.demand(`${segment} ${id.slice(0, 40)}`, refusal, { path: elsewhere, ...body });
    }
  }
}

function example({ schema }: Pick<Parameter, "schema">): string {
  const { examples, default: usual, enum: values } = resolve(stage.document, schema);
  return encodeURIComponent(String(examples?.[0] ?? usual ?? values?.[0] ?? "text"));
}

/** Providers redirect to them, mails link to them, and probes call them, with parameters of their own. */
const forStrangers: readonly string[] = [
  "GET /public/orgs/{orgId}/calendars/{calendarId}",
  "GET /public/orgs/{orgId}/vtr/{vtrId}/verify",
  "GET /auth/oauth/callback",
  "GET /auth/link",
  "GET /health",
  "GET /metrics",
  "GET /docs",
  "GET /docs/json",
  "GET /openapi.json",
];

const allRoutes = await routeNames();

describe.each(allRoutes)("%s", (name) => {
  test("rejects invalid input, does not repeat values, and changes nothing", async () => {
    const route = routeNamed(stage, name);
    const { storage, logged } = stage.installation;
    const right = await prepare(route, stage.school);
    const refusals = new Refusals(route, right, await callersFor(route, right));
    const credentials = await credentialsFor(route, right);
    const before = await commits(storage);
    const loggedBefore = logged.length;
    const { path, body, query, headers = {} } = right;
    const whole = query === undefined ? path : `${path}?${query}`;

    await spoilBody(refusals, route);
    await spoilParameters(refusals, route);
    if (route.method !== "GET")
      await refusals.demand("A body of a declared 16 MiB", tooLarge, {
        path: whole,
        headers: { "content-length": String(16 * 1024 * 1024) },
      });
    const takesAnyQuery = !route.operation || forStrangers.includes(name);
    if (!takesAnyQuery) await rejectUnknownParameters(route, right, credentials);

    refusals.rest();

    expect(refusals.found).toEqual([]);
    expect(await commits(storage)).toEqual(before);
    expect(
      logged.slice(loggedBefore).filter((line) => line.includes(SECRET) || line.includes("no_such_parameter")),
    ).toEqual([]);
    if (!route.operation) return;
    // The valid request must succeed; otherwise the refusals could have another cause.
    const { status, text } = await stage.installation.call(route.method, whole, { ...credentials, body, headers });
    if (status >= 300) throw new Error(`The right request got ${status}: ${text}`);
  });
});

async function rejectUnknownParameters(
  { method }: StagedRoute,
  { path, body, query = "", headers = {} }: Prepared,
  credentials: Call,
): Promise<void> {
  const odd = `${path}?no_such_parameter=${SECRET}&${SECRET}&constructor=1&__proto__=1&${query}`;
  const answer = await stage.installation.call(method, odd, { ...credentials, body, headers });
  const refused = complaint(answer, invalid("query.no_such_parameter"));
  // The name of a parameter is repeated, its value is not.
  expect(refused === undefined || refused === "repeats the value" ? undefined : refused).toBeUndefined();
  expect(answer.body.issues.map(({ path: at }: { path: string }) => at)).toEqual(
    ["no_such_parameter", SECRET, "constructor", "__proto__"].map((parameter) => `query.${parameter}`),
  );
}

test.each(forStrangers)("%s takes unknown query parameters", async (name) => {
  const route = routeNamed(stage, name);
  const right = await prepare(route, stage.school);
  const path = `${right.path}?no_such_parameter=${SECRET}&${right.query ?? ""}`;
  const answer = await stage.installation.call(route.method, path, {
    ...(await credentialsFor(route, right)),
    ...(right.headers && { headers: right.headers }),
  });
  expect(answer.status).toBe(200);
});

/** A matrix is no list: it has the place among its rows beside them. */
const isPaged = (route: StagedRoute) =>
  !route.name.endsWith("/matrix") &&
  route.operation?.parameters?.some(({ name }) => name === "offset" || name === "cursor") === true;

test("lists have the documented defaults", async () => {
  const lists = stage.routes.filter(isPaged);
  expect(lists.length).toBeGreaterThan(50);
  for (const route of lists) {
    const limit = route.operation?.parameters?.find(({ name }) => name === "limit")?.schema;
    if (!limit) throw new Error(`${route.name} has pages and no limit.`);
    const right = await prepare(route, stage.school);
    const [{ path, query }, credentials] = [right, await credentialsFor(route, right)];
    const limitOf = async (wanted: number | undefined) => {
      const asked = [...(query ? [query] : []), ...(wanted === undefined ? [] : [`limit=${wanted}`])].join("&");
      return expectStatus(200, await stage.installation.call("GET", `${path}?${asked}`, credentials)).body.page.limit;
    };
    expect([route.name, await limitOf(undefined), await limitOf(limit.minimum), await limitOf(limit.maximum)]).toEqual([
      route.name,
      limit.default,
      limit.minimum,
      limit.maximum,
    ]);
  }
});
