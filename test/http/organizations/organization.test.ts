import { describe, expect, test } from "bun:test";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { minutes } from "../../../src/core/clock.ts";
import { auditLog, intents } from "../../../src/storage/shared.tables.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { controlAudit, join, type Newcomer, signUp } from "../accounts/newcomers.ts";

const get = (at: Installation, { orgId, token }: { orgId: string; token: string }) =>
  at.call("GET", `/orgs/${orgId}`, { token });
const patch = (at: Installation, { orgId, token }: Newcomer, body: unknown) =>
  at.call("PATCH", `/orgs/${orgId}`, { token, body });

const tenantOf = (at: Installation, { orgId }: Newcomer) => at.storage.tenants.tenant(orgId);

describe("GET /orgs/{orgId}", () => {
  test("shows the organization to every member, and nothing to others", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const student = await join(at, olga, "sam@example.com", ["student"]);
    const stranger = await signUp(at, "otto@example.com");
    expect((await get(at, student)).body.data).toMatchObject({ id: olga.orgId, name: "Flugschule Egelsbach" });
    expect((await get(at, { ...stranger, orgId: olga.orgId })).status).toBe(404);
    expect((await get(at, { ...olga, orgId: String(olga.userId) })).status).toBe(404);
    expect((await get(at, { ...olga, orgId: "egelsbach" })).status).toBe(404);
    expect((await get(at, { ...olga, token: "nonsense" })).status).toBe(401);
  });
});

describe("PATCH /orgs/{orgId}", () => {
  test("changes the fields given, leaves the rest, and audits before and after", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const before = (await get(at, olga)).body.data;
    at.clock.advance(minutes(1));
    const answer = await patch(at, olga, { home_icao: "edfe", time_zone: "Europe/Berlin", authority: "LBA" });
    expect(answer.status).toBe(200);
    const changed = {
      home_icao: "EDFE",
      time_zone: "Europe/Berlin",
      authority: "LBA",
      updated_at: "2026-06-14T09:01:00.000Z",
    };
    expect(answer.body.data).toEqual({ ...before, ...changed });
    expect((await get(at, olga)).body.data).toEqual(answer.body.data);
    expect((await patch(at, olga, { authority: null })).body.data.authority).toBeNull();

    const row = (await controlAudit(at)).find(({ action }) => action === "organization.updated");
    expect(JSON.parse(row?.payload ?? "")).toEqual({ by: "Olga Owner", before, after: answer.body.data });
  });

  test("writes a new time zone to the tenant database, once, and leaves the name", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await patch(at, olga, { time_zone: "Europe/Berlin" });
    await patch(at, olga, { time_zone: "europe/berlin", currency: "CHF" });
    const [described] = await tenantOf(at, olga).read((reader) => reader.select().from(meta));
    expect(described).toMatchObject({ name: "Flugschule Egelsbach", time_zone: "Europe/Berlin" });
    expect(await at.storage.control.read((reader) => reader.select().from(intents))).toEqual([]);
    const rows = await tenantOf(at, olga).read((reader) => reader.select().from(auditLog));
    expect(rows.map(({ action, payload }) => [action, JSON.parse(payload ?? "")])).toEqual([
      [
        "organization.updated",
        {
          before: { name: "Flugschule Egelsbach", time_zone: "UTC" },
          after: { name: "Flugschule Egelsbach", time_zone: "Europe/Berlin" },
        },
      ],
    ]);
  });

  test("writes a new name to the tenant database, once", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await patch(at, olga, { name: "Flugschule Langen" });
    await patch(at, olga, { name: "Flugschule Langen" });
    const [described] = await tenantOf(at, olga).read((reader) => reader.select({ name: meta.name }).from(meta));
    expect(described).toEqual({ name: "Flugschule Langen" });
    expect(await at.storage.control.read((reader) => reader.select().from(intents))).toEqual([]);
    const rows = await tenantOf(at, olga).read((reader) => reader.select().from(auditLog));
    expect(rows.filter(({ action }) => action === "organization.updated")).toHaveLength(1);
  });

  test("renames an organization whose file is missing, and updates the file when it is back", async () => {
    const directory = await mkdtemp(path(tmpdir(), "windsock-"));
    const at = await newInstallation({ directory, maxOpen: 1 });
    const olga = await signUp(at);
    await signUp(at, "otto@example.com"); // pushes Olga's file out of the cache, which closes it
    const file = path(directory, `${olga.orgId}.db`);
    await rename(file, `${file}.away`);

    const answer = await patch(at, olga, { name: "Flugschule Langen" });
    expect([answer.status, answer.body.data.name]).toEqual([200, "Flugschule Langen"]);
    expect(at.logged.join("")).toContain("is not in the organization's database yet");
    expect(await at.storage.control.read((reader) => reader.select().from(intents))).toHaveLength(1);

    await rename(`${file}.away`, file);
    await at.close();
    const again = await newInstallation({ directory });
    const [described] = await tenantOf(again, olga).read((reader) => reader.select({ name: meta.name }).from(meta));
    expect(described).toEqual({ name: "Flugschule Langen" });
    await again.close();
    await rm(directory, { recursive: true });
  });

  test("requires the permission", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const others = await join(at, olga, "ines@example.com", ["instructor", "mechanic", "accountant", "student"]);
    const stranger = await signUp(at, "otto@example.com");
    expect((await patch(at, admin, { name: "A" })).status).toBe(200);
    expect((await patch(at, others, { name: "B" })).status).toBe(403);
    expect((await patch(at, { ...stranger, orgId: olga.orgId }, { name: "B" })).status).toBe(404);
    expect((await patch(at, { ...olga, token: "nonsense" }, { name: "B" })).status).toBe(401);
  });

  test.each(["SLE", "XCG", "CLF"])("takes the currency %s, which not all runtimes list", async (currency) => {
    const at = await newInstallation();
    expect((await patch(at, await signUp(at), { currency })).status).toBe(200);
  });

  test.each([
    ["a change of nothing", {}],
    ["an empty name", { name: "" }],
    ["no name", { name: null }],
    ["a long name", { name: "x".repeat(121) }],
    ["an unknown kind", { kind: "airline" }],
    ["a place that is none", { home_icao: "Egelsbach" }],
    ["a zone that is none", { time_zone: "Mars/Olympus" }],
    ["a currency that is none", { currency: "€" }],
    ["a currency that is no more", { currency: "DEM" }],
    ["an id", { id: "01890a5d-ac96-774b-bcce-b302099a8057" }],
  ])("refuses %s", async (_, body) => {
    const at = await newInstallation();
    expect((await patch(at, await signUp(at), body)).status).toBe(400);
  });
});
