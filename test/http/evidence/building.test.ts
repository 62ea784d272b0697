/** Packs while they are built: others write, other organizations wait, and the server stops. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import type { PackId } from "../../../src/modules/evidence/evidence.tables.ts";
import { type BuildServices, buildPack } from "../../../src/modules/evidence/packs/build-pack.ts";
import { discardParts } from "../../../src/modules/evidence/packs/parts.ts";
import type { Leases } from "../../../src/storage/leases.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, type School, times } from "../../support/school.ts";
import { approvedFlight, contentOf, getPack, issue, jsonIn, ofPilot } from "./packing.ts";

const tenantOf = ({ installation, orgId }: School<Installation>) => installation.storage.tenants.tenant(orgId as OrgId);

/** Makes a pack wait again, as after a crash. */
const wait = (school: School<Installation>, id: string) =>
  tenantOf(school).write((tx) =>
    tx.run(sql`update evidence_packs set status = 'generating', manifest = null, sha256 = null where id = ${id}`),
  );

const servicesOf = (
  { installation }: School<Installation>,
  stopping = new AbortController().signal,
): BuildServices => ({
  control: installation.storage.control,
  clock: installation.clock,
  log: { error: (details, message) => expect([message, details]).toEqual(["no error", {}]) },
  publicUrl: "http://localhost",
  attachmentQuota: 1e9,
  leases: installation.storage.leases,
  stopping,
});

/** The organization's file, with work before each of its first writes. */
function disturbed(school: School<Installation>, before: () => Promise<unknown>, most = Number.POSITIVE_INFINITY) {
  const tenant = tenantOf(school);
  let writes = 0;
  return new Proxy(tenant, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "write") return typeof value === "function" ? value.bind(target) : value;
      return async (work: Parameters<typeof tenant.write>[0]) => {
        if (writes++ < most) await before();
        return tenant.write(work);
      };
    },
  });
}

const build = (school: School<Installation>, id: string, tenant = tenantOf(school), stopping?: AbortSignal) =>
  buildPack(servicesOf(school, stopping), tenant, id as PackId);

test("a pack is of one state: it is built again if its records change meanwhile", async () => {
  const school = await newOwnSchool();
  const { owner, student } = school;
  const { id } = await issue(student, ofPilot(student.personId));
  await wait(school, id);
  // The flight is approved when some of the parts are written already.
  let writes = 0;
  const approve = async () => {
    writes += 1;
    if (writes === 8) await approvedFlight(school);
  };
  expect(await build(school, id, disturbed(school, approve))).toBe(true);
  const zip = await contentOf(school, owner, id);
  expect([jsonIn(zip, "flights.json").length, jsonIn(zip, "totals.json").approved.pic_minutes]).toEqual([1, 62]);
  expect(jsonIn(zip, "manifest.json").period.from).not.toBeNull();
  // What others do does not count.
  await wait(school, id);
  const rename = () => owner.patch(`/people/${owner.personId}`, { name: `Other ${Math.random()}` });
  expect(await build(school, id, disturbed(school, rename))).toBe(true);
  expect(await getPack(owner, id)).toMatchObject({ status: "ready" });
});

test("a pack whose records change each time fails, and says so", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { id } = await issue(owner, { type: "compliance_pack" });
  await wait(school, id);
  const rename = () => owner.patch(`/people/${owner.personId}`, { name: `Other ${Math.random()}` });
  expect(await build(school, id, disturbed(school, rename))).toBe(true);
  expect(await getPack(owner, id)).toMatchObject({ status: "failed", failure: "records_changed" });
  expectStatus(200, await owner.post(`/evidence-packs/${id}/retry`));
  expect(await getPack(owner, id)).toMatchObject({ status: "ready" });
});

test("a pack is not signed with a key that was retired meanwhile", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { id } = await issue(owner, ofPilot(owner.personId));
  await wait(school, id);
  let rotated: string | undefined;
  let writes = 0;
  const rotate = async () => {
    writes += 1;
    if (writes > 5) rotated ??= expectStatus(200, await owner.post("/signing-keys/rotate")).body.data.id;
  };
  expect(await build(school, id, disturbed(school, rotate))).toBe(true);
  expect(await getPack(owner, id)).toMatchObject({ status: "ready", key_id: rotated as string });
});

test("a stop leaves a pack to the next start", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { id } = await issue(owner, ofPilot(owner.personId));
  await wait(school, id);
  const stopping = new AbortController();
  let writes = 0;
  const stop = async () => {
    writes += 1;
    if (writes === 5) stopping.abort();
  };
  expect(await build(school, id, disturbed(school, stop), stopping.signal)).toBe(false);
  expect(await getPack(owner, id)).toMatchObject({ status: "generating", failure: null });
  expect(await build(school, id, tenantOf(school), stopping.signal)).toBe(false);
  expect(writes).toBeLessThan(9);
  expect(await build(school, id)).toBe(true);
  expect(await getPack(owner, id)).toMatchObject({ status: "ready" });
});

test("a pack that another process builds is left to it", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { id } = await issue(owner, ofPilot(owner.personId));
  await wait(school, id);
  const leases: Leases = { take: async () => undefined };
  expect(await buildPack({ ...servicesOf(school), leases }, tenantOf(school), id as PackId)).toBe(false);
  expect(await getPack(owner, id)).toMatchObject({ status: "generating" });
});

test("who was stopped while another process built the same pack leaves that one alone", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { id } = await issue(owner, ofPilot(owner.personId));
  await wait(school, id);
  // After some seconds without a sign of life, the lease is another's.
  const lost = { isHeld: async () => false, release: async () => undefined };
  let writes = 0;
  const tenant = disturbed(school, async () => {
    writes += 1;
    if (writes !== 6) return;
    await tenantOf(school).write(async (tx) => {
      await tx.run(sql`delete from evidence_chunks where pack_id = ${id}`);
      await tx.run(sql`delete from evidence_parts where pack_id = ${id}`);
    });
  });
  const services = { ...servicesOf(school), leases: { take: async () => lost } };
  expect(await buildPack(services, tenant, id as PackId)).toBe(false);
  expect(await getPack(owner, id)).toMatchObject({ status: "generating" });
  expect(await build(school, id)).toBe(true);
  expect(await getPack(owner, id)).toMatchObject({ status: "ready" });
  // A ready pack keeps its files.
  await discardParts(tenantOf(school), id as PackId);
  await contentOf(school, owner, id);
});

test("organizations take turns", async () => {
  const busy = await newOwnSchool();
  const { installation } = busy;
  const other = await newSchool(installation);
  const many = [];
  for (const _ of times(4, () => 0)) many.push((await issue(busy.owner, ofPilot(busy.owner.personId))).id);
  const { id: one } = await issue(other.owner, ofPilot(other.owner.personId));
  for (const id of many) await wait(busy, id);
  await wait(other, one);
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([...many.map((id) => build(busy, id).then(note("busy"))), build(other, one).then(note("other"))]);
  // The first begins at once, before the others wait.
  expect(order).toEqual(["busy", "busy", "other", "busy", "busy"]);
});

test("a member has at most three packs waiting", async () => {
  const school = await newOwnSchool();
  const { owner, student } = school;
  for (const _ of times(3, () => 0)) await wait(school, (await issue(student, ofPilot(student.personId))).id);
  const refused = expectStatus(409, await student.post("/evidence-packs", ofPilot(student.personId)));
  expect(refused.body.error.reason).toBe("limit_reached");
  expectStatus(202, await owner.post("/evidence-packs", ofPilot(student.personId)));
});
