import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createCatalog, eventTypes, subscribableTypes } from "../../src/events/catalog.ts";
import { eventCatalog, eventDefinitions } from "../../src/modules.ts";

/** The contract's table, Events, Catalog. */
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

test("the catalog has the contract's types, in its order and with its stability", () => {
  const listed = eventCatalog.entries.map(({ type, stability }) => [type, stability]);
  expect(Object.fromEntries(listed)).toEqual(contract);
  expect(eventCatalog.entries.map(({ type }) => String(type))).toEqual(Object.keys(contract));
});

test("the catalog has each type of the contract once, and an endpoint can subscribe to each", () => {
  expect(subscribableTypes).toEqual(eventTypes);
  expect(() => createCatalog(eventDefinitions.slice(1))).toThrow("No module defines the event maintenance.alert.");
  expect(() => createCatalog([...eventDefinitions, ...eventDefinitions.slice(0, 1)])).toThrow("is defined twice");
});

test("every example fits its type's schema, by zod and by JSON Schema", () => {
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

test("a beta type may come to have further fields, and its schema takes them; a stable one's does not", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const { type, stability, schema, example } of eventCatalog.entries) {
    const grown = { ...(example as object), added_later: true };
    expect({ type, fits: ajv.validate(schema, grown) }).toEqual({ type, fits: stability === "beta" });
  }
});

test("types that nothing emits yet say so", () => {
  const emitted = eventCatalog.entries.flatMap((entry) => (entry.emitted ? [entry.type] : []));
  expect(emitted).toEqual(["flight.submitted", "flight.approved", "flight.rejected", "webhook.test"]);
});

test("the schemas of stable types are frozen: another one needs a new major version of the API", async () => {
  const stable = eventCatalog.entries.filter(({ stability }) => stability === "stable");
  const schemas = Object.fromEntries(stable.map(({ type, schema }) => [type, schema]));
  const golden = new URL("./stable-events.json.golden", import.meta.url);
  // Words about a field may change; what it may hold may not.
  const words = new Set(["examples", "description"]);
  const text = `${JSON.stringify(schemas, (key, value) => (words.has(key) ? undefined : value), 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") await writeFile(golden, text);
  expect(text).toBe(await readFile(golden, "utf8"));
});
