import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { eventTypes } from "../../src/events/catalog.ts";
import { eventCatalog, eventDefinitions } from "../../src/modules/event-catalog.ts";

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

test("an endpoint can subscribe to the types of the catalog and to nothing else", () => {
  for (const type of eventTypes) expect(eventCatalog.isSubscribable(type)).toBe(true);
  for (const type of ["flight.deleted", "", "toString", "FLIGHT.APPROVED"])
    expect(eventCatalog.isSubscribable(type)).toBe(false);
});

test("every example fits its type's schema, by zod and by JSON Schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const { type, schema, example } of eventCatalog.entries) {
    const { data } = eventDefinitions[type];
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
  const text = `${JSON.stringify(schemas, (key, value) => (key === "examples" ? undefined : value), 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") await writeFile(golden, text);
  expect(text).toBe(await readFile(golden, "utf8"));
});
