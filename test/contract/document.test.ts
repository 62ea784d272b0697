/** The OpenAPI document of the whole application: nothing in it is empty, and its examples are true. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bodyOf, type Operation, operationsOf, resolve, type Schema } from "../support/document.ts";
import { schemaValidators } from "../support/document-check.ts";
import { newStage, type Stage } from "../support/stage.ts";

let stage: Stage;
let operations: [string, Operation][];
beforeAll(async () => {
  stage = await newStage();
  operations = operationsOf(stage.document);
});
afterAll(() => stage.installation.close());

/** The operations for which something does not hold. */
const without = (holds: (operation: Operation) => unknown) =>
  operations.filter(([, operation]) => !holds(operation)).map(([name]) => name);

describe("every operation", () => {
  test("has a summary, a description, a tag that the document describes, an id of its own, and says who may call it", () => {
    const { tags = [] } = stage.document as { tags?: { name: string }[] };
    expect(without(({ summary }) => summary && summary.length <= 60)).toEqual([]);
    expect(without(({ description }) => description && description.length >= 10)).toEqual([]);
    expect(
      without((operation) => operation.tags?.length === 1 && tags.some(({ name }) => name === operation.tags?.[0])),
    ).toEqual([]);
    expect(without(({ security }) => Array.isArray(security))).toEqual([]);
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
  });

  test("is in the list of routes, and every route that is not hidden is in the document", () => {
    const shown = stage.routes.filter(({ template }) => template !== "/docs/assets/{file}").map(({ name }) => name);
    expect(new Set(operations.map(([name]) => name))).toEqual(new Set(shown));
  });

  test("has for its body and for each answer an example that its schema accepts", () => {
    const validator = schemaValidators(stage.document);
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
        for (const [type, { example }] of Object.entries(content ?? {})) {
          const validate = validator(`${where}${at(type)}/schema`);
          if (example === undefined || !validate(example)) wrong.push(`${where} ${JSON.stringify(validate.errors)}`);
        }
    }
    expect(wrong).toEqual([]);
  });

  test("takes no field that it does not describe", () => {
    const loose: string[] = [];
    const walk = (declared: Schema, at: string): void => {
      const schema = resolve(stage.document, declared);
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

  test("says of every time and id what form it has", () => {
    const formats = [
      [/_at$/, "date-time"],
      [/(^|_)id$/, "uuid"],
    ] as const;
    // The subject of an audit entry may be anything, and a job has no request.
    const free = ["subject_id", "request_id"];
    const isEventId = ({ pattern }: Schema) => pattern === "^evt_[0-9a-f]{32}$";
    const missing: string[] = [];
    for (const [component, { properties = {} }] of Object.entries(stage.document.components.schemas))
      for (const [field, declared] of Object.entries(properties))
        for (const [name, format] of formats)
          if (name.test(field) && !free.includes(field)) {
            const schema = resolve(stage.document, declared);
            if (schema.format !== format && !isEventId(schema)) missing.push(`${component}.${field}`);
          }
    expect(missing).toEqual([]);
  });
});

test("the document is accepted by Redocly's recommended rules", async () => {
  const folder = await mkdtemp(join(tmpdir(), "windsock-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(stage.document));
    const cli = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
    const config = join(import.meta.dir, "../support/redocly.yaml");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stderr } = await promisify(execFile)("node", [cli, "lint", file, "--config", config], { env });
    expect(stderr).toContain("Your API description is valid");
  } finally {
    await rm(folder, { recursive: true });
  }
}, 30_000);
