/** One node has the databases on a server. */
import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { DataInUse } from "../../../src/storage/data-lock.ts";
import type { StoreSettings } from "../../../src/storage/server/store-settings.ts";
import type { Sqld } from "../../support/sqld.ts";
import { newStorage, newTenant, type TestStorage } from "../storages.ts";
import { cleanUp } from "../temporary.ts";
import { newServer, secret } from "./servers.ts";

afterEach(cleanUp);

/** A node with a data directory of its own. */
const newNode = (sqld: Sqld, pause?: StoreSettings["pause"]): Promise<TestStorage> =>
  newStorage({ server: { ...sqld.settings(), ...(pause && { pause }) }, secret: Buffer.from(secret) });

/** Lets the server's clock pass by far more than a living node is silent. */
const beSilent = ({ control }: TestStorage) =>
  control.write((tx) => tx.run(sql`update nodes set seen_at = seen_at - 60`));

const read = ({ control }: TestStorage) => control.read(async (reader) => reader.kind);

async function beat(node: TestStorage): Promise<void> {
  node.clock.advance(6_000);
  await node.checkpointIdle();
}

test("a second node is refused while the first one lives, and starts when it has ended", async () => {
  const sqld = await newServer();
  const first = await newNode(sqld);
  const second = newNode(sqld, () => beat(first));
  await expect(second).rejects.toThrow(/^Another Windsock \(version .+, on .+\) uses the databases/);
  await expect(second).rejects.toBeInstanceOf(DataInUse);
  expect(await read(first)).toBe("control");

  await first.close();
  const never = () => Promise.reject(new Error("It waited, although the first node has left."));
  expect(await read(await newNode(sqld, never))).toBe("control");
});

test("a node that has ended without leaving is waited for", async () => {
  const sqld = await newServer();
  const first = await newNode(sqld);
  let pauses = 0;
  const second = await newNode(sqld, async () => {
    pauses += 1;
    if (pauses === 3) await beSilent(first);
  });
  expect(pauses).toBe(3);
  expect(second.logged).toMatchObject([{ level: "warn", message: expect.stringContaining("has ended") }]);
});

test("a node that was silent too long reads and writes nothing more, and leaves the marks of its successor alone", async () => {
  const sqld = await newServer();
  const first = await newNode(sqld);
  const id = await newTenant(first);
  await beSilent(first);
  const second = await newNode(sqld);
  await beat(first);

  const fault = { code: "UNAVAILABLE", message: expect.stringContaining("has taken over") };
  expect(first.fault()).toMatchObject(fault);
  await expect(read(first)).rejects.toMatchObject(fault);
  const tenant = first.tenants.tenant(id);
  await expect(tenant.read(async (reader) => reader.kind)).rejects.toMatchObject(fault);
  await expect(tenant.write(async (tx) => tx.kind)).rejects.toMatchObject(fault);

  await first.close();
  await beat(second);
  expect(second.fault()).toBeUndefined();
});
