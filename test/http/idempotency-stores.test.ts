/** `Idempotency-Key`: the key and the response for each outcome of a verb's writes. */
import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { newId } from "../../src/core/ids.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { createLog } from "../../src/http/request-log.ts";
import { requestStates } from "../../src/http/request-state.ts";
import { requestTraces } from "../../src/http/request-trace.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { usedKeys } from "../../src/storage/used-keys.ts";
import { newStorage, newTenant } from "../storage/storages.ts";
import { cleanUp } from "../storage/temporary.ts";

afterEach(cleanUp);

/** Carries out equal requests with one key, each with a verb of the test. */
async function newDesk() {
  const storage = await newStorage();
  const { clock, control } = storage;
  const tenant = storage.tenants.tenant(await newTenant(storage, ""));
  const logged: string[] = [];
  const log = createLog("info", { write: (line) => void logged.push(line) });
  const bodyKey = Buffer.alloc(32);
  const stateOf = requestStates({
    clock,
    addressOf: () => "unknown",
    traceOf: requestTraces({ spans: undefined, trusts: () => false }),
  });
  const idempotency = createIdempotency({
    ...{ stateOf, clock, log, usedKeys, bodyKey },
    isShared: false,
    showsSecret: () => false,
  });
  const user = { userId: newId<"user">(clock), sessionId: newId<"session">(clock), email: "", name: "" };
  const context = { actor: { kind: "user", ...user }, requestId: "", clock, control, tenant } as const;
  return {
    logged,
    async post(verb: (tenant: Tenant) => Promise<Response>): Promise<Response> {
      const headers = { "idempotency-key": "k" };
      const request = new Request("https://windsock.test/names", { method: "POST", headers });
      const arrival = { request, route: "/names", params: {}, set: { headers: {} } };
      const answer = async () => {
        const granted = await idempotency.begin(arrival, context);
        return idempotency.replay(arrival) ?? verb(granted.tenant);
      };
      return idempotency.end(request, answer());
    },
    /** The texts that were written. */
    written: async () => (await tenant.read((reader) => reader.select({ name: meta.name }).from(meta)))[0]?.name,
  };
}

const append = (tenant: Tenant, letter: string) =>
  tenant.write((tx) => tx.update(meta).set({ name: sql`${meta.name} || ${letter}` }));

test("a request that fails after its commit is not carried out again: the repeat gets `answer_lost`", async () => {
  const { post, written } = await newDesk();
  const verb = async (tenant: Tenant) => {
    await append(tenant, "a");
    return new Response("", { status: 500 });
  };
  expect((await post(verb)).status).toBe(500);
  await expect(post(verb)).rejects.toMatchObject({ code: "CONFLICT", reason: "answer_lost" });
  expect(await written()).toBe("a");
});

test("a request that is refused after a write can be repeated", async () => {
  const { post, written } = await newDesk();
  const verb = async (tenant: Tenant) => {
    await append(tenant, "a");
    return new Response("", { status: 403 });
  };
  expect([(await post(verb)).status, (await post(verb)).status]).toEqual([403, 403]);
  expect(await written()).toBe("aa");
});

test("a verb that writes twice records its key with the first write only", async () => {
  const { post, written, logged } = await newDesk();
  const verb = async (tenant: Tenant) => {
    await append(tenant, "a");
    await append(tenant, "b");
    return new Response("done", { status: 201 });
  };
  expect((await post(verb)).status).toBe(201);
  const again = await post(verb);
  expect(await again.text()).toBe("done");
  expect(await written()).toBe("ab");
  expect(logged).toEqual([]);
});
