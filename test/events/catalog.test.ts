import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createCatalog, eventTypes, subscribableTypes } from "../../src/events/catalog.ts";
import { eventCatalog, eventDefinitions } from "../../src/modules.ts";

/** The contract's table "Events, Catalog". */
const contract = {
  "flight.submitted": "stable",
  "flight.approved": "stable",
  "flight.rejected": "beta",
  "maintenance.alert": "beta",
  "compliance.updated": "beta",
  "training.signoff.recorded": "beta",
  "payment.received": "beta",
  "vtr.issued": "beta",
  "medical.expiring": "beta",
  "webhook.test": "stable",
};

test("the catalog has the contract's types in their order, with their stability", () => {
  const listed = eventCatalog.entries.map(({ type, stability }) => [type, stability]);
  expect(Object.fromEntries(listed)).toEqual(contract);
  expect(eventCatalog.entries.map(({ type }) => String(type))).toEqual(Object.keys(contract));
});

test("the catalog requires one definition of each type, and endpoints can subscribe to all", () => {
  expect(subscribableTypes).toEqual(eventTypes);
  const [first, ...others] = eventDefinitions;
  if (first === undefined) throw new Error("There are events.");
  expect(() => createCatalog(others)).toThrow(`No module defines the event ${first.type}.`);
  expect(() => createCatalog([...eventDefinitions, first])).toThrow("is defined twice");
});

test("every example is valid by its type's schema, in zod and in JSON Schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const { type, schema, example } of eventCatalog.entries) {
    const [definition] = eventDefinitions.filter((one) => one.type === type);
    if (!definition) throw new Error(`${type} is not defined.`);
    const { data } = definition;
    expect(data.parse(example)).toEqual(example as never);
    expect({ type, fits: ajv.validate(schema, example), errors: ajv.errors }).toMatchObject({ type, fits: true });
    expect({ type, fits: ajv.validate(schema, {}) }).toEqual({ type, fits: false });
  }
});

test("the schemas accept unknown fields in all objects, as receivers must", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const { type, schema, example } of eventCatalog.entries) {
    const fits = ajv.validate(schema, grown(example));
    expect({ type, fits, errors: ajv.errors }).toEqual({ type, fits: true, errors: null });
  }
});

/** Returns a value with one more field in each object. */
const grown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, grown(inner)]);
  return { ...Object.fromEntries(fields), added_later: true };
};

test("the schemas of stable types are frozen: a change needs a new major version of the API", async () => {
  const stable = eventCatalog.entries.filter(({ stability }) => stability === "stable");
  const schemas = Object.fromEntries(stable.map(({ type, schema }) => [type, schema]));
  const golden = new URL("./stable-events.json.golden", import.meta.url);
  // The description of a field may change, its type may not.
  const prose = new Set(["examples", "description"]);
  const text = `${JSON.stringify(schemas, (key, value) => (prose.has(key) ? undefined : value), 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") await writeFile(golden, text);
  expect(text).toBe(await readFile(golden, "utf8"));
});
