import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { reasons as reasonTable } from "../../src/core/reasons.ts";
import { scopeCatalog } from "../../src/core/scopes.ts";
import { fieldsWith } from "../../src/http/reason-fields.ts";
import { listing } from "../../src/modules/addons/listings/listings.shapes.ts";
import { type ApiDocument, documentOf, type Operation, operationsOf, reasonsOf } from "../support/document.ts";
import type { Answer, Installation } from "../support/installation.ts";
import { newInstallationWithProvider } from "../support/oidc.ts";
import { newSchool } from "../support/school.ts";
import { newStage, type Stage } from "../support/stage.ts";
import { comingAtFirst } from "./coming.ts";
import * as facts from "./facts.ts";
import { outOfReach, provocations } from "./provocations.ts";
import type { Provocation } from "./provoke.ts";
import { nameOf, publicApi, type Row, rows } from "./rows.ts";
import { codesOf, hasETag, mediaTypesOf, settledHeaders, settledQuery, statusesOf } from "./settled.ts";

const here = rows.filter(({ brings }) => brings === undefined);
const coming = rows.filter(({ brings }) => brings !== undefined);

let stage: Stage;
let document: ApiDocument;
let operations: ReadonlyMap<string, Operation>;
beforeAll(async () => {
  stage = await newStage();
  document = stage.document;
  operations = new Map(operationsOf(document));
});
afterAll(() => stage.installation.close());

describe("the tables", () => {
  test("name each route once", () => {
    const names = rows.map(nameOf);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("have three event types whose schemas are frozen", () => {
    expect(
      Object.entries(facts.eventTypes)
        .filter(([, stability]) => stability === "stable")
        .map(([type]) => type),
    ).toEqual(["flight.submitted", "flight.approved", "webhook.test"]);
  });

  test("have a request for each status of each implemented row", () => {
    const wanted = here.map((row) => [nameOf(row), statusesOf(row)]);
    const given = here.map((row) => {
      const name = nameOf(row);
      const reached = Object.keys(provocations[name] ?? {}).map(Number);
      return [name, [...reached, ...(outOfReach[name] ?? [])].sort((a, b) => a - b)];
    });
    const unheld = here.filter((row) => provocations[nameOf(row)] === undefined);
    expect(unheld.map((row) => `test/contract/provocations.ts has no requests for ${nameOf(row)}`)).toEqual([]);
    const rowless = Object.keys(provocations).filter((name) => !here.some((row) => nameOf(row) === name));
    expect(rowless.map((name) => `test/contract/rows.ts has no row for ${name}`)).toEqual([]);
    // For a missing status, add a request to test/contract/provocations.ts.
    expect(given).toEqual(wanted);
  });
});

describe("the routes to come", () => {
  test("only become fewer", () => {
    expect(coming.map(nameOf).filter((name) => !comingAtFirst.includes(name))).toEqual([]);
  });

  // To implement the route, remove `brings` from its row and add requests for its statuses.
  test.each(coming.map(nameOf))("%s is not implemented and not in the document", async (name) => {
    const [method = "", template = ""] = name.split(" ");
    const { school, installation } = stage;
    const path = template.replace("{orgId}", school.orgId).replace(/\{\w+\}/g, "01890a5d-ac96-774b-bcce-b302099a8057");
    const { status, body } = await installation.call(method, path, { token: school.owner.token, org: school.orgId });
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(operations.has(name)).toBe(false);
  });
});

describe("the document", () => {
  test.each(here.map((row): [string, Row] => [nameOf(row), row]))("declares %s as in the table", (name, row) => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`${name} is not in the document.`);
    expect(Object.keys(operation.responses).map(Number)).toEqual(statusesOf(row));
    for (const status of statusesOf(row).filter((code) => code >= 400)) {
      const schema = operation.responses[status]?.content?.["application/json"]?.schema;
      const reasons = reasonsOf(operation, status);
      const envelope = status === 400 ? "ValidationError" : reasons.length > 0 ? "ReasonedError" : "Error";
      expect((schema?.allOf?.[0] ?? schema)?.$ref).toBe(`#/components/schemas/${envelope}`);
      if (alwaysReasoned.includes(status)) expect(reasons).not.toEqual([]);
      for (const reason of reasons) expect(codesOf[status]).toContain(reasonTable[reason].code);
    }
    const { content } = operation.responses[row.success] ?? {};
    expect(Object.keys(content ?? {})).toEqual([...mediaTypesOf(row)]);

    const named = (place: string) =>
      (operation.parameters ?? []).filter((one) => one.in === place).map((one) => one.name);
    expect(new Set(named("query"))).toEqual(new Set([...(row.query ?? []), ...settledQuery(row)]));
    expect(named("path")).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? ""));
    expect(named("header")).toEqual(settledHeaders(row));
    expect(operation.requestBody && (operation.requestBody.required ? "required" : "optional")).toEqual(row.body);
  });

  test.each(here.map((row): [string, Row] => [nameOf(row), row]))(
    "lets in to %s whom the table lets in",
    (name, { by }) => {
      const route = stage.routes.find((one) => one.name === name);
      expect(route?.security).toEqual(by === "admin" ? "user" : by);
    },
  );

  test("has version 1.0, and the paths of the tables", () => {
    expect(document.info.version).toBe("1.0");
    expect(publicApi.every(({ path }) => path.startsWith("/api/v1/public/"))).toBe(true);
  });

  test("has only the table's routes of the public API, of which one does not read", () => {
    const found = [...operations.keys()].filter((name) => name.includes(" /api/"));
    const rowless = found.filter((name) => !publicApi.map(nameOf).includes(name));
    expect(rowless.map((name) => `test/contract/rows.ts has no row for ${name}`)).toEqual([]);
    expect(publicApi.filter(({ method }) => method !== "GET").map(nameOf)).toEqual([
      "POST /api/v1/public/events/{eventId}/replay",
    ]);
  });

  test.each(Object.entries(facts.pageLimits).filter(([name]) => !comingAtFirst.includes(name)))(
    "limits the pages of %s",
    (name, { fallback, max }) => {
      const limit = operations.get(name)?.parameters?.find((one) => one.name === "limit")?.schema;
      expect(limit).toMatchObject({ type: "integer", minimum: 1, maximum: max, default: fallback });
    },
  );
});

test("API keys have the scopes of the contract, in its order, and every row needs one of the catalog", () => {
  const catalog = scopeCatalog.map(({ name }) => name);
  expect(catalog.filter((scope) => facts.scopes.includes(scope))).toEqual([...facts.scopes]);
  const needed = publicApi.flatMap(({ by }) => (typeof by === "object" ? [by.scope] : []));
  expect(needed).toHaveLength(publicApi.length);
  expect(facts.scopes.filter((scope) => !needed.includes(scope))).toEqual(["public.directory:read"]);
  expect(needed.filter((scope) => !catalog.includes(scope))).toEqual([]);
});

describe("live", () => {
  let installation: Installation;
  beforeAll(async () => {
    // A low limit for keys, so that few requests reach it.
    installation = await newInstallationWithProvider({
      shared: true,
      env: { WINDSOCK_API_KEY_RATE: "5", WINDSOCK_WRITE_RATE: "60", WINDSOCK_DEBUG_ENDPOINTS: "1" },
    });
  });
  afterAll(() => installation.close());

  const cases = here.flatMap((row) =>
    Object.entries(provocations[nameOf(row)] ?? {}).map(([status, provoke]): [string, number, Row, Provocation] => [
      nameOf(row),
      Number(status),
      row,
      provoke,
    ]),
  );

  let addresses = 0;
  test.each(cases)("%s responds with %i", async (_, status, row, provoke) => {
    const school = await newSchool(installation);
    addresses += 1;
    const answer = await provoke({ school, from: `198.51.${addresses >> 8}.${addresses & 255}` });
    expect(`${answer.status} ${answer.text.slice(0, 200)}`).toStartWith(`${status} `);
    if (status >= 400) expectEnvelope(answer, status);
    else if (status === 304) expect([answer.text, answer.headers.get("content-type")]).toEqual(["", null]);
    else expectSuccess(answer, row);
    for (const name of facts.headers.everyResponse) expect(answer.headers.get(name)).toBeTruthy();
    // A failure before the key is authenticated has no limit headers.
    if (hasETag(row) && status < 400)
      expect(answer.headers.get(facts.headers.tag.name)).toMatch(facts.headers.tag.value);
    const isLimited = typeof row.by === "object" && status !== 401 && status < 500;
    if (isLimited) for (const name of facts.headers.limitedRoutes) expect(answer.headers.has(name)).toBe(true);
  });

  test("the document of this installation is the one that responses are checked against", () => {
    expect(documentOf(installation.app)).toEqual(document);
  });
});

/** Statuses whose every response has a reason. */
const alwaysReasoned: readonly number[] = [403, 409, 410, 412];

function expectEnvelope({ body, headers, text }: Answer, status: number): void {
  expect(Object.keys(body).filter((key) => key !== "issues")).toEqual(["error"]);
  const { reason } = body.error;
  const withReason = reason === undefined ? [] : ["reason"];
  const more = reason === undefined ? [] : fieldsWith(reason);
  const names = Object.keys(body.error).filter((name) => !more.includes(name));
  expect(names).toEqual(["code", ...withReason, "message", "request_id"]);
  if (alwaysReasoned.includes(status)) expect(reason).toBeString();
  expect(codesOf[status]).toContain(body.error.code);
  expect(body.error.request_id).toBe(headers.get("x-request-id"));
  expect(body.issues !== undefined).toBe(body.error.code === "VALIDATION_ERROR");
  expect(text).not.toContain("s3cr3t");
  if (status === 401) expect(headers.get(facts.headers.unauthorized.name)).toBe(facts.headers.unauthorized.value);
  for (const name of facts.headers.rateLimited) expect(headers.has(name)).toBe(status === 429);
}

/** Responses other than `{"data": …}`. */
const listingKeys = Object.keys(listing.schema.shape);
const flat: Record<string, readonly string[]> = {
  "GET /admin/addon-listings/{listingId}": listingKeys,
  "POST /admin/addon-listings/{listingId}/approve": listingKeys,
  "POST /admin/addon-listings/{listingId}/reject": listingKeys,
  "POST /auth/login": ["token_type", "access_token", "expires_in", "refresh_token", "refresh_expires_in"],
  "POST /auth/mfa/verify": ["token_type", "access_token", "expires_in", "refresh_token", "refresh_expires_in"],
  "POST /auth/refresh": ["token_type", "access_token", "expires_in", "refresh_token", "refresh_expires_in"],
  "GET /auth/oauth/callback": ["token_type", "access_token", "expires_in", "refresh_token", "refresh_expires_in"],
  "POST /auth/logout": ["status"],
  "DELETE /auth/sessions": ["status"],
  "POST /auth/establish-token": ["token", "expires_in", "account_type"],
  "POST /auth/establish-exchange": [
    "token_type",
    "access_token",
    "expires_in",
    "refresh_token",
    "refresh_expires_in",
    "account_type",
  ],
};

function expectSuccess({ status, body, headers }: Answer, row: Row): void {
  if (status === 204) {
    expect(body).toBe("");
    return;
  }
  if (status === 303) {
    expect([body, headers.has("location")]).toEqual(["", true]);
    return;
  }
  expect(headers.get("content-type")).toStartWith(row.type ?? "application/json");
  if (row.type) {
    expect(body).toBeString();
    return;
  }
  const isList = [...(row.query ?? []), ...settledQuery(row)].includes("offset");
  const isByCursor = nameOf(row) === "GET /api/v1/public/events";
  const keys = flat[nameOf(row)] ?? (isList || isByCursor ? ["data", "page"] : ["data"]);
  expect(new Set(Object.keys(body))).toEqual(new Set(keys));
  if (isList) expect(body.page).toEqual({ limit: 100, offset: 0, has_more: false, next_cursor: null });
  if (isByCursor) expect(body.page).toEqual({ limit: 100, has_more: false, next_cursor: null });
}
