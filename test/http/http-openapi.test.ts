import { describe, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Elysia } from "elysia";
import { z } from "zod";
import { docs } from "../../src/http/docs.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { responses } from "../../src/http/responses.ts";
import { inlined } from "../support/document.ts";
import { documentCheck, schemaValidators } from "../support/document-check.ts";
import { newInstallation } from "../support/installation.ts";
import { which } from "../support/which.ts";
import { movableClock, toyApp } from "./http-toy-app.ts";

const SITE = "http://localhost";

function setUp() {
  const { app: toy, http } = toyApp({ clock: movableClock() });
  const app = toy.use(docs(http));
  const get = (path: string) => app.handle(new Request(SITE + path));
  return { http, get };
}

const serve = async () => (await setUp().get("/openapi.json")).json();
const fetchDocument = async () => inlined(await serve());

describe("the OpenAPI document", () => {
  test("describes a route for members: parameters, bodies, security, errors", async () => {
    const operation = (await fetchDocument()).paths["/orgs/{orgId}/gliders"].post;
    expect(operation).toMatchObject({
      operationId: "addGlider",
      tags: ["Gliders"],
      security: [{ session: [] }],
      parameters: [
        { in: "path", name: "orgId", required: true, schema: { format: "uuid" } },
        { in: "header", name: "Idempotency-Key", schema: { type: "string" } },
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/NewGlider" } } },
      },
    });
    expect(Object.keys(operation.responses)).toEqual([
      "201",
      "400",
      "401",
      "403",
      "404",
      "409",
      "413",
      "415",
      "422",
      "429",
      "500",
      "503",
    ]);
    expect(operation.parameters).toContainEqual(expect.objectContaining({ in: "header", name: "Idempotency-Key" }));
    expect(Object.keys(operation.responses[201].headers)).toContain("Idempotency-Replayed");
    expect(operation.responses[400].content["application/json"].schema.$ref).toBe(
      "#/components/schemas/ValidationError",
    );
    expect(operation.responses[404].content["application/json"].schema.$ref).toBe("#/components/schemas/Error");
  });

  test("describes a route of the public API", async () => {
    const operation = (await fetchDocument()).paths["/api/v1/public/gliders"].get;
    expect(operation.security).toEqual([{ apiKey: [] }]);
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ in: "header", name: "X-Org-Id", required: true }),
    );
    const limit = operation.parameters.find(({ name }: { name: string }) => name === "limit");
    expect(limit.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 500, default: 100 });
    expect(limit.required).not.toBe(true);
    expect(Object.keys(operation.responses)).toEqual(["200", "304", "400", "401", "403", "429", "500", "503"]);
    expect(operation.responses[304].content).toBeUndefined();
    expect(Object.keys(operation.responses[304].headers)).toContain("ETag");
    expect(operation.parameters).toContainEqual(expect.objectContaining({ in: "header", name: "If-None-Match" }));
    expect(Object.keys(operation.responses[429].headers)).toEqual([
      "X-Request-Id",
      "Retry-After",
      "RateLimit",
      "RateLimit-Policy",
    ]);
    expect(Object.keys(operation.responses[401].headers)).toEqual(["X-Request-Id", "WWW-Authenticate"]);
  });

  test("distinguishes open, optional and text routes, and omits hidden ones", async () => {
    const { paths, info, openapi, servers } = await fetchDocument();
    expect({ openapi, version: info.version, license: info.license.name, servers: servers[0].url }).toEqual({
      openapi: "3.1.0",
      version: "1.0",
      license: "MIT",
      servers: "/",
    });
    expect(paths["/health"].get.security).toEqual([]);
    expect(Object.keys(paths["/health"].get.responses[200].content)).toEqual(["text/plain"]);
    expect(Object.keys(paths["/docs"].get.responses[200].content)).toEqual(["text/html"]);
    expect(paths["/claim"].post.security).toEqual([{}, { session: [] }]);
    expect(paths["/claim"].post.requestBody.required).toBe(false);
    expect(paths["/broken/{how}"]).toBeUndefined();
  });

  test("has a valid example for every body and every refusal", async () => {
    const document = await fetchDocument();
    const validator = schemaValidators(document);
    const at = (...keys: string[]) => keys.map((key) => `/${key.replaceAll("/", "~1")}`).join("");
    const wrong: string[] = [];
    for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths))
      for (const [method, { requestBody, responses }] of Object.entries(item)) {
        const bodies: [string, Content | undefined][] = [
          [at("paths", path, method, "requestBody", "content"), requestBody?.content],
        ];
        for (const [status, { content }] of Object.entries(responses).filter(([status]) => status >= "400"))
          bodies.push([at("paths", path, method, "responses", status, "content"), content]);
        for (const [where, content] of bodies)
          for (const [type, { example }] of Object.entries(content ?? {}))
            if (example === undefined || !validator(`${where}${at(type, "schema")}`)(example))
              wrong.push(`${where} ${type}`);
      }
    expect(wrong).toEqual([]);
  });

  test("has the webhooks, with their tags and the headers of their responses", async () => {
    const { app, http } = toyApp({ clock: movableClock() });
    const launched = {
      operationId: "onGliderLaunched",
      tags: ["Posts"],
      responses: { "2XX": { description: "Taken.", headers: { Location: { $ref: "#/components/headers/Location" } } } },
    };
    const info = { tags: { Posts: "What is posted." }, webhooks: { "glider.launched": launched } };
    const { webhooks, tags, components } = openApiDocument(app.use(docs(http)).routes, info);
    expect(webhooks).toEqual({ "glider.launched": { post: launched } });
    expect(tags).toContainEqual({ name: "Posts", description: "What is posted." });
    expect(Object.keys(components?.headers ?? {})).toContain("Location");

    const without = await fetchDocument();
    expect(without.webhooks).toBeUndefined();
    expect(without.tags.map(({ name }: { name: string }) => name)).not.toContain("Posts");
    expect(Object.keys(without.components.headers)).not.toContain("Location");
  });

  test("throws for a route under an organization without an organization in its path", () => {
    const { http } = setUp();
    const { routes } = new Elysia().use(http.session).get("/gliders", () => "");
    expect(() => openApiDocument(routes)).toThrow("must have :orgId");
  });

  test("throws for a schema whose form in requests is in one resource, and its form in responses in another", () => {
    const { http } = setUp();
    const Wing = z.object({ span: z.string().default("15.00") }).meta({ id: "Wing", description: "Of a glider." });
    const { routes } = new Elysia()
      .use(http.open)
      .post("/wings", () => "", { body: Wing })
      .get("/wing-types", () => ({ span: "15.00" }), { response: responses({ 200: Wing }) });
    expect(() => openApiDocument(routes)).toThrow("Wing has one form");
  });

  test("lets other requests run while it is built", async () => {
    const { app } = await newInstallation({ checked: false });
    let [turns, isBuilt] = [0, false];
    const count = () => {
      turns += 1;
      if (!isBuilt) setImmediate(count);
    };
    setImmediate(count);
    await app.handle(new Request(`${SITE}/openapi.json`));
    isBuilt = true;
    // Built at once, it leaves none.
    expect(turns).toBeGreaterThan(20);
  });

  test("is accepted by Redocly's recommended rules", async () => {
    const folder = await mkdtemp(join(tmpdir(), "windsock-openapi-"));
    try {
      const file = join(folder, "openapi.json");
      await writeFile(file, JSON.stringify(await serve()));
      const cli = join(import.meta.dirname, "../../node_modules/@redocly/cli/bin/cli.js");
      const config = join(import.meta.dirname, "../support/redocly.yaml");
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
      // The machine may have Bun only.
      const node = which("node") ?? process.execPath;
      const { stderr } = await promisify(execFile)(node, [cli, "lint", file, "--config", config], { env });
      expect(stderr).toContain("Your API description is valid");
      expect(stderr).not.toMatch(/You have \d+ warning/);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);
});

type Content = Record<string, { example?: unknown }>;
interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

describe("documentCheck", () => {
  const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    Response.json(body, { status, headers: { "x-request-id": "r", ...headers } });
  const me = { data: { user_id: "01890a5d-ac96-774b-bcce-b302099a8057" } };

  test.each<[string, Response, string]>([
    ["an undeclared status", answer(me, 202), "the status is not declared"],
    ["an undeclared field", answer({ ...me, extra: 1 }), "additionalProperty"],
    ["a missing field", answer({ data: {} }), "user_id"],
    ["a value of the wrong format", answer({ data: { user_id: "ada" } }), "user_id"],
    [
      "another media type",
      new Response("{}", { headers: { "x-request-id": "r", "content-type": "text/html" } }),
      "is text/html",
    ],
    ["a missing header", Response.json(me), "lacks the header X-Request-Id"],
    [
      "a body where an error is due",
      answer({ oops: true }, 401, { "www-authenticate": "Bearer" }),
      "the body breaks its schema",
    ],
  ])("rejects %s", async (_, response, reason) => {
    const check = documentCheck(await fetchDocument());
    expect(check("GET", "/me", response)).rejects.toThrow(reason);
  });

  test("accepts a declared response, and leaves its body readable", async () => {
    const response = answer(me);
    await documentCheck(await fetchDocument())("GET", "http://localhost/me?x=1", response);
    expect(await response.json()).toEqual(me);
  });

  test("accepts only errors for an undeclared path", async () => {
    const check = documentCheck(await fetchDocument());
    expect(check("GET", "/nowhere", answer(me))).rejects.toThrow("is not in the document");
    expect(check("PUT", "/me", answer(me))).rejects.toThrow("is not in the document");
  });
});
