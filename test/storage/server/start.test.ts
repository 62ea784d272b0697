import { afterEach, expect, test } from "bun:test";
import { tenantMigrations } from "../../../migrations/tenant/index.ts";
import { newId } from "../../../src/core/ids.ts";
import { Engine } from "../../../src/storage/server/engine.ts";
import { migrateNamespace } from "../../../src/storage/server/migrate-namespace.ts";
import type { StoreSettings } from "../../../src/storage/server/store-settings.ts";
import type { TestClock } from "../../support/clock.ts";
import type { Sqld } from "../../support/sqld.ts";
import { becomeNewer, marksOf, newStorage, newTenant, settle } from "../storages.ts";
import { cleanUp } from "../temporary.ts";
import { newServer, secret } from "./servers.ts";

afterEach(cleanUp);

const storageOn = (server: StoreSettings) => newStorage({ server, secret: Buffer.from(secret) });
const otherKey = async (sqld: Sqld) => (await newServer()).settings().tokenKey ?? sqld.settings().tokenKey;

test("a server that keeps no promise stops the start, with words", async () => {
  const sqld = await newServer();
  await sqld.create("control", {});
  await expect(storageOn(sqld.settings())).rejects.toThrow(
    'The namespace control is not durable (durability_mode: relaxed): a power cut would lose what was acknowledged. Set its durability_mode to "strong", and start again.',
  );
  await sqld.configure("control", { durability_mode: "strong" });
  expect(storageOn(sqld.settings())).resolves.toBeDefined();
});

test("a server that is open to everybody stops the start, unless no key is configured", async () => {
  const sqld = await newServer({ hasKey: false });
  await sqld.create("control", { durability_mode: "strong" });
  const tokenKey = await otherKey(sqld);
  await expect(storageOn({ ...sqld.settings(), tokenKey })).rejects.toThrow(
    "The namespace control is open to everybody who reaches the server.",
  );
  expect(await storageOn(sqld.settings())).toBeDefined();
});

test("another key than the server's stops the start", async () => {
  const sqld = await newServer();
  await sqld.create("control", { durability_mode: "strong" });
  await expect(storageOn({ ...sqld.settings(), tokenKey: await otherKey(sqld) })).rejects.toThrow(
    "The server does not accept WINDSOCK_STORE_TOKEN_KEY",
  );
});

test("without a key, only a server on this machine is used", async () => {
  const settings = (await newServer()).settings();
  const elsewhere = { url: "http://{namespace}.db.example.com", adminUrl: settings.adminUrl, tokenKey: undefined };
  await expect(storageOn(elsewhere)).rejects.toThrow("WINDSOCK_STORE_TOKEN_KEY is missing");
});

test("a server that does not answer stops the start, with its addresses", async () => {
  const sqld = await newServer();
  await sqld.kill();
  const { url, adminUrl } = sqld.settings();
  await expect(storageOn(sqld.settings())).rejects.toThrow(
    `The libSQL server can't be used (WINDSOCK_STORE_URL=${url}, WINDSOCK_STORE_ADMIN_URL=${adminUrl})`,
  );
});

test("namespaces are created durable and with the key, and are of no use without it", async () => {
  const sqld = await newServer({ hasKey: false });
  const tokenKey = await otherKey(sqld);
  const storage = await storageOn({ ...sqld.settings(), tokenKey });
  const id = await newTenant(storage);
  const config = await fetch(`${sqld.settings().adminUrl}/v1/namespaces/${id}/config`);
  expect(await config.json()).toMatchObject({ durability_mode: "strong", jwt_key: expect.any(String) });
  const engine = new Engine(sqld.settings());
  const read = engine.session(id).read([{ sql: "select name from meta", args: [] }]);
  await expect(read).rejects.toThrow(/^AUTH_/);
});

test("the secret of another installation stops the start", async () => {
  const sqld = await newServer();
  await (await storageOn(sqld.settings())).close();
  const other = newStorage({ server: sqld.settings(), secret: Buffer.from(`${secret}, but another one`) });
  await expect(other).rejects.toThrow("This data was sealed with another secret.");
});

test("an older school is migrated when it is used, and a newer one is refused", async () => {
  const sqld = await newServer();
  const before = await storageOn(sqld.settings());
  const { clock } = before;
  const id = await newTenant(before);
  const other = await newTenant(before);
  await settle(before);
  await before.close();

  const version = becomeNewer();
  const newer = await newStorage({ server: sqld.settings(), secret: Buffer.from(secret), clock });
  expect(await newer.tenants.outdated()).toEqual([id, other]);
  await newer.tenants.migrate(id);
  expect(await marksOf(newer, id)).toMatchObject({ schema_version: version });
  await newer.close();
  await cleanUp();

  const older = await newStorage({ server: sqld.settings(), secret: Buffer.from(secret), clock });
  const read = (tenant: typeof id) => older.tenants.tenant(tenant).read(async (reader) => reader.kind);
  await expect(read(id)).rejects.toMatchObject({ code: "TENANT_UNAVAILABLE" });
  expect(older.tenants.unusable()).toMatchObject([
    { orgId: id, faults: [expect.stringContaining("is newer than this program's")] },
  ]);
  expect(older.logged.filter(({ details }) => details.organization_id === id)).toHaveLength(1);
  expect(await read(other)).toBe("tenant");
});

test("two nodes that migrate one namespace at once end with one schema", async () => {
  const engine = new Engine((await newServer()).settings());
  await engine.create("both");
  const sessions = [engine.session("both"), engine.session("both")];
  await Promise.all(sessions.map((session) => migrateNamespace(session, tenantMigrations)));
  const [version] = (await sessions[0]?.read([{ sql: "PRAGMA user_version", args: [] }])) ?? [];
  expect(version).toMatchObject({ result: { rows: [[tenantMigrations.length]] } });
});

test("a namespace with tables of something else is left alone", async () => {
  const sqld = await newServer({ hasKey: false });
  const engine = new Engine(sqld.settings());
  await engine.create("control");
  const session = engine.session("control");
  await session.read([{ sql: "create table things (at text)", args: [] }]);
  await expect(storageOn(sqld.settings())).rejects.toThrow("has tables that are not Windsock's");
});

test("a namespace that an interrupted sign-up left is removed by a start an hour later", async () => {
  const sqld = await newServer();
  const storage = await storageOn(sqld.settings());
  const { clock } = storage;
  const id = newId<"organization">(clock);
  await storage.tenants.create(id, { name: "Left", time_zone: "UTC" });
  await storage.close();

  const engine = new Engine(sqld.settings());
  const startAt = async (at: TestClock) => {
    await (await newStorage({ server: sqld.settings(), secret: Buffer.from(secret), clock: at })).close();
    return engine.has(id);
  };
  expect(await startAt(clock)).toBe(true);
  clock.advance(61 * 60_000);
  expect(await startAt(clock)).toBe(false);
});
