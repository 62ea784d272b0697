/** The OpenAPI document of the whole application: every part is described, and its examples are valid. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exampleOf, nodeAt } from "../../src/core/example-of.ts";
import {
  type ApiDocument,
  bodyOf,
  inlined,
  type Media,
  type Operation,
  operationsOf,
  reasonsOf,
  resolve,
  type Schema,
} from "../support/document.ts";
import { schemaValidators } from "../support/document-check.ts";
import { newStage, type Stage } from "../support/stage.ts";

/** The document as served, with the descriptions of tags and the webhooks. */
interface Served extends ApiDocument {
  tags: { name: string; description: string }[];
  webhooks: Record<string, Record<string, Operation>>;
}

let stage: Stage;
let text: string;
let served: Served;
let operations: [string, Operation][];
beforeAll(async () => {
  stage = await newStage();
  text = (await stage.installation.call("GET", "/openapi.json")).text;
  served = inlined(JSON.parse(text));
  operations = operationsOf(served);
});
afterAll(() => stage.installation.close());

const operation = (name: string): Operation => {
  const found = operations.find(([one]) => one === name)?.[1];
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
};

/** The JSON types that a schema accepts. */
function typesOf(schema: Schema & { type?: string | string[]; anyOf?: Schema[] }): string[] {
  return [schema.type ?? [], ...(schema.anyOf ?? []).map(typesOf)].flat();
}

/** Returns the example of a body or, without one, what tools make of the examples of its fields. */
const exampleIn = ({ example, schema }: Media): unknown =>
  example ?? exampleOf({ ...schema }, (ref) => nodeAt({ ...served }, ref));

interface Refusal {
  issues?: { path: string }[];
}

/** Operations that a stolen access token alone must not allow. */
const stepUps = [
  "POST /auth/oauth/start",
  "DELETE /auth/identities/{provider}",
  "DELETE /auth/mfa/enroll",
  "POST /auth/mfa/recovery-codes/regenerate",
  "POST /orgs/{orgId}/people/{personId}/erase",
  "GET /orgs/{orgId}/people/{personId}/export",
  "POST /orgs/{orgId}/invites",
  "POST /orgs/{orgId}/invites/{inviteId}/resend",
  "PATCH /orgs/{orgId}/members/{userId}",
  "DELETE /orgs/{orgId}/members/{userId}",
  "POST /orgs/{orgId}/integrations/api-keys",
  "POST /orgs/{orgId}/integrations/api-keys/{apiKeyId}/rotate",
  "POST /orgs/{orgId}/integrations/webhook-endpoints",
  "PATCH /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}",
  "POST /orgs/{orgId}/integrations/webhook-endpoints/{endpointId}/rotate-secret",
  "GET /orgs/{orgId}/evidence-packs/{packId}/content",
  "POST /orgs/{orgId}/export",
  "POST /orgs/{orgId}/signing-keys/rotate",
  "POST /orgs/{orgId}/share-tokens",
];

/** The requests that the application receives and sends. */
const everything = () => [...operations, ...operationsOf({ ...served, paths: served.webhooks })];

/** Returns the operations and webhooks that do not satisfy a condition. */
const without = (holds: (operation: Operation) => unknown) =>
  everything()
    .filter(([, operation]) => !holds(operation))
    .map(([name]) => name);

describe("every operation", () => {
  test("has a summary, a description, a described tag, a short and unique id, and its security", () => {
    const described = served.tags.filter(({ name, description }) => description !== `${name}.`);
    expect(without(({ summary }) => summary && summary.length <= 60)).toEqual([]);
    expect(without(({ description }) => description && description.length >= 10)).toEqual([]);
    expect(
      without(
        (operation) => operation.tags?.length === 1 && described.some(({ name }) => name === operation.tags?.[0]),
      ),
    ).toEqual([]);
    expect(without(({ security }) => Array.isArray(security))).toEqual([]);
    const ids = everything().map(([, { operationId }]) => operationId);
    expect(ids.filter((id = "") => !/^[a-z][A-Za-z]{1,39}$/.test(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
  });

  /** Pages and files for browsers. */
  const hidden = new Set(["/docs/assets/{version}/{file}", "/", "/app", "/app/*", "/assets/{file}"]);

  test("is in the list of routes, and every route that is not hidden is in the document", () => {
    const shown = stage.routes.filter(({ template }) => !hidden.has(template)).map(({ name }) => name);
    expect(new Set(operations.map(([name]) => name))).toEqual(new Set(shown));
  });

  test("has an example for its body and each refusal, and the fields of other responses have examples, which their schemas accept", () => {
    const validator = schemaValidators(served);
    const at = (...keys: string[]) => keys.map((key) => `/${key.replaceAll("/", "~1")}`).join("");
    const wrong: string[] = [];
    for (const [name, operation] of operations) {
      const [method = "", path = ""] = name.split(" ");
      const root = at("paths", path, method.toLowerCase());
      const contents = [
        [`${root}/requestBody/content`, operation.requestBody?.content],
        ...Object.entries(operation.responses).map(
          ([status, { content }]) => [`${root}/responses/${status}/content`, content] as const,
        ),
      ] as const;
      for (const [where, content] of contents)
        for (const [type, media] of Object.entries(content ?? {})) {
          const validate = validator(`${where}${at(type)}/schema`);
          const { examples } = media;
          const given = examples ? Object.values(examples).map(({ value }) => value) : [exampleIn(media)];
          for (const value of given)
            if (value === undefined || !validate(value)) wrong.push(`${where} ${JSON.stringify(validate.errors)}`);
        }
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  test("has amounts of money as integers, in every request and response", () => {
    const amounts: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [name, value] of Object.entries(node)) {
        const isSchema = path.endsWith(".properties") && /_minor$/.test(name);
        if (isSchema) amounts.push(`${path}.${name} ${typesOf(value as Schema).join()}`);
        walk(value, `${path}.${name}`);
      }
    };
    walk(served, "");
    expect(amounts.length).toBeGreaterThan(100);
    expect(amounts.filter((amount) => !/ (integer|integer,null)$/.test(amount))).toEqual([]);
  });

  test.each(["POST /auth/login", "GET /auth/oauth/callback"])("%s shows both forms of its response", (name) => {
    const { example, examples = {} } = operation(name).responses["200"]?.content?.["application/json"] ?? {};
    expect(example).toBeUndefined();
    expect(Object.keys(examples)).toEqual(["TokenPair", "MfaChallenge"]);
    expect(examples.MfaChallenge?.value).toMatchObject({ mfa_required: true });
  });

  test("shows invites of students with a person, and open invites without one", () => {
    const shown = (name: string, status: string) => {
      const media = operation(name).responses[status]?.content?.["application/json"];
      return (media && exampleIn(media)) as { data: object };
    };
    const open = { status: "open", claimed_at: null, claimed_by: null, revoked_at: null };
    expect(shown("POST /orgs/{orgId}/invites", "201").data).toMatchObject(open);
    expect(shown("POST /orgs/{orgId}/student-invites", "201").data).toMatchObject({ ...open, roles: ["student"] });
    expect(shown("GET /auth/student-invites/{token}", "200").data).toMatchObject({ roles: ["student"] });
    expect(shown("POST /auth/student-invites/claim", "200").data).toMatchObject({ roles: ["student"] });
  });

  test("has an example of a 400 with a parameter of its query, or with a field or a parameter that it does not have", () => {
    for (const [name, { parameters = [], requestBody, responses }] of operations) {
      const refusal = responses["400"]?.content?.["application/json"]?.example as Refusal | undefined;
      if (!refusal) continue;
      const query = parameters.find((one) => one.in === "query")?.name ?? "limit";
      const wanted = requestBody?.content["application/json"] ? "body.no_such_field" : `query.${query}`;
      expect<unknown>([name, refusal.issues?.map(({ path }) => path)]).toEqual([name, [wanted]]);
    }
  });

  test("declares step_up_required in its 403 where a step-up may be required", () => {
    const saying = operations.filter(([, one]) => reasonsOf(one, 403).includes("step_up_required"));
    expect(saying.map(([name]) => name).sort()).toEqual(stepUps.toSorted());
  });

  test("declares 503 if it uses a database, with the codes that it can have", () => {
    const reading = ["POST /auth/signup-org", "GET /auth/student-invites/{token}", "POST /auth/student-invites/claim"];
    const undeclared: string[] = [];
    for (const [name, { parameters = [], responses }] of operations) {
      const { description, headers, content } = responses["503"] ?? {};
      if (description === undefined) undeclared.push(name);
      else if (name !== "GET /health/ready") {
        // Applications are in the control database, whatever organization is named.
        const ofOrganization =
          parameters.some((one) => one.name === "orgId" || one.name === "X-Org-Id") && !name.includes(" /applications");
        const readsTenant = ofOrganization || reading.includes(name);
        const codes = [...description.matchAll(/^- `([A-Z_]+)`: /gm)].map(([, code]) => code);
        expect([name, codes]).toEqual([name, [...(readsTenant ? ["TENANT_UNAVAILABLE"] : []), "UNAVAILABLE"]]);
        expect([name, "Retry-After" in (headers ?? {})]).toEqual([name, readsTenant]);
        const example = content?.["application/json"]?.example as { error: { code: string } };
        expect(example.error.code).toBe(ofOrganization ? "TENANT_UNAVAILABLE" : "UNAVAILABLE");
      }
    }
    expect(undeclared.sort()).toEqual([
      "GET /auth/link",
      "GET /capabilities",
      "GET /docs",
      "GET /docs/json",
      "GET /health",
      "GET /openapi.json",
    ]);
  });

  test("describes every field of its input", () => {
    const loose: string[] = [];
    const walk = (declared: Schema, at: string): void => {
      const schema = resolve(served, declared);
      if (schema.properties && schema.additionalProperties !== false) loose.push(`${at} takes any field`);
      for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${at}.${name}`);
      if (schema.items) walk(schema.items, `${at}[]`);
    };
    for (const [name, operation] of operations) {
      const media = bodyOf(operation);
      if (media) walk(media.schema, name);
    }
    expect(loose).toEqual([]);
  });

  test("leaves the objects of responses and webhooks open, since later versions may add fields", () => {
    const closed: string[] = [];
    const seen = new Set<Schema>();
    const walk = (declared: Schema, at: string): void => {
      const schema = resolve(served, declared);
      if (seen.has(schema)) return;
      seen.add(schema);
      if (schema.additionalProperties === false) closed.push(at);
      for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${at}.${name}`);
      for (const inner of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(inner, at);
      if (schema.items) walk(schema.items, `${at}[]`);
    };
    const webhooks = Object.entries(served.webhooks ?? {});
    for (const [name, { responses }] of operations)
      for (const [status, { content }] of Object.entries(responses))
        for (const { schema } of Object.values(content ?? {})) walk(schema, `${name} ${status}`);
    for (const [name, { post }] of webhooks) if (post) walk(bodyOf(post)?.schema ?? {}, name);
    expect(webhooks.length).toBeGreaterThan(0);
    expect(closed).toEqual([]);
  });

  test("has the data of each type of event in the event log", () => {
    const { EventData } = served.components.schemas;
    const sent = Object.values(served.webhooks ?? {}).map(
      ({ post }) => post && bodyOf(post)?.schema.properties?.event?.properties?.data,
    );
    const alternatives = EventData?.anyOf?.map(({ description: _, ...schema }) => schema);
    expect<unknown>(alternatives).toEqual(sent);
    expect(served.components.schemas.Event?.properties?.data).toMatchObject({ $ref: "#/components/schemas/EventData" });
  });

  test("has patterns of printable characters without \\u, which some generators print as the character", () => {
    const patterns = [...JSON.stringify(served).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = ""]) =>
      JSON.parse(text),
    );
    expect(patterns.length).toBeGreaterThan(100);
    expect(patterns.filter((pattern) => /\\u|[^\x20-\x7e]/.test(pattern))).toEqual([]);
  });

  test("has the type on every member of an allOf, and a contact", () => {
    const untyped: unknown[] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      const { type, allOf } = node as Schema;
      if (type) untyped.push(...(allOf ?? []).filter((member) => !member.type && !member.$ref));
      for (const inner of Object.values(node)) walk(inner);
    };
    walk(served);
    expect(untyped).toEqual([]);
    expect(served.info.contact).toEqual({ name: "The operator of this installation", url: "http://127.0.0.1:3000" });
  });

  test("declares the format of every time and id", () => {
    const formats = [
      [/_at$/, "date-time"],
      [/(^|_)id$/, "uuid"],
    ] as const;
    // The subject of an audit entry can be anything, a job has no request, and a tax office gives out the id for VAT.
    const free = ["subject_id", "request_id", "vat_id", "buyer_vat_id"];
    const isEventId = ({ pattern }: Schema) => pattern === "^evt_[0-9a-f]{32}$";
    const missing: string[] = [];
    for (const [component, { properties = {} }] of Object.entries(served.components.schemas))
      for (const [field, declared] of Object.entries(properties))
        for (const [name, format] of formats)
          if (name.test(field) && !free.includes(field)) {
            const schema = resolve(served, declared);
            if (schema.format !== format && !isEventId(schema)) missing.push(`${component}.${field}`);
          }
    expect(missing).toEqual([]);
  });
});

test("no field has a `default`, which generators take for required; its description says it", () => {
  const found: string[] = [];
  const walk = ({ properties = {}, items, anyOf = [], allOf = [] }: Schema, at: string): void => {
    for (const [name, inner] of Object.entries(properties)) {
      if ("default" in inner) found.push(`${at}.${name}`);
      walk(inner, `${at}.${name}`);
    }
    for (const inner of [...anyOf, ...allOf, ...(items ? [items] : [])]) walk(inner, at);
  };
  for (const [name, schema] of Object.entries(served.components.schemas)) walk(schema, name);
  expect(found).toEqual([]);
  const { NewAircraft, NewPlanningSeries } = served.components.schemas;
  expect(NewAircraft?.properties?.billing_basis?.description).toEndWith('By default `"block"`.');
  expect(NewPlanningSeries?.properties?.until_on?.description).toBe("The last day. Or give `count`.");
});

test("the pattern of ids is written once: parameters refer to it, too", () => {
  expect(text.split(JSON.stringify(JSON.parse(text).components.schemas.Uuid.pattern))).toHaveLength(2);
});

test("the document has less than 3.41 kB for each operation: what several operations have is a component", () => {
  expect(Buffer.byteLength(text) / operations.length).toBeLessThan(3410);
  const raw: ApiDocument & Pick<Served, "webhooks"> = JSON.parse(text);
  const written = new Map<string, string[]>();
  const note = (part: unknown, where: string) => {
    const key = JSON.stringify(part);
    if (!key.startsWith('{"$ref"')) written.set(key, [...(written.get(key) ?? []), where]);
  };
  for (const [path, item] of Object.entries(raw.paths))
    for (const [method, { parameters = [], responses }] of Object.entries(item)) {
      // Generators name types after the operation, of successes and of parameters that list their values.
      for (const one of parameters) if (!one.schema?.enum) note(one, `${method} ${path} ${one.name}`);
      for (const [status, one] of Object.entries(responses))
        if (!status.startsWith("2")) note(one, `${method} ${path} ${status}`);
    }
  expect(written.size).toBeGreaterThan(100);
  expect([...written.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test("the document is accepted by Redocly's recommended rules", async () => {
  const folder = await mkdtemp(join(tmpdir(), "windsock-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, text);
    const cli = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
    const config = join(import.meta.dir, "../support/redocly.yaml");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stderr } = await promisify(execFile)("node", [cli, "lint", file, "--config", config], { env });
    expect(stderr).toContain("Your API description is valid");
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);
