/** What an erasure leaves of what its subject did: all but who it was. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { verifyAuditLogs } from "../../../src/modules/operations/verify-audit.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, type School } from "../../support/school.ts";
import { ofAccount, tracesOf } from "../../support/traces.ts";
import { tenantOf } from "../maintenance/maintaining.ts";

interface Row {
  action: string;
  actor: { id: string; name: string | null };
  subject: { id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const rowsOf = async ({ owner }: School, log: "records" | "organization"): Promise<Row[]> =>
  expectStatus(200, await owner.get(`/audit-log?limit=500&log=${log}`)).body.data;

const verified = ({ installation, orgId }: School<Installation>) => {
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const { control } = installation.storage;
  const context = { clock: installation.clock, control, actor: { kind: "command_line" }, requestId: "" } as const;
  return verifyAuditLogs(context, { storage: installation.storage, orgId });
};

/** What an admin does to the school and to others. */
async function acts({ owner, student }: School, admin: Member): Promise<void> {
  const person_id = student.personId;
  expectStatus(200, await admin.patch("/finance/settings", { iban: "DE89370400440532013000" }));
  expectStatus(200, await admin.patch("/clearance/rules/medical_expired", { action: "off" }));
  const paid = { person_id, amount_minor: 10_000, method: "cash", received_on: "2026-01-02" };
  const payment = expectStatus(201, await admin.post("/finance/payments", paid)).body.data;
  const refund = { amount_minor: 10_000, method: "cash", refunded_on: "2026-01-02", reason: "Back." };
  expectStatus(200, await admin.post(`/finance/payments/${payment.id}/refund`, refund));
  const key = { name: "Key", scopes: ["public.flights:read"] };
  expectStatus(201, await admin.post("/integrations/api-keys", key));
  expectStatus(201, await admin.post("/invites", { email: `other.${owner.email}`, roles: ["admin"] }));
}

test("what a member did to the school and to others stays in the log, without who they were", async () => {
  const school = await newOwnSchool();
  const { owner, join } = school;
  const admin = await join(["admin"], "Zelda Quux");
  await acts(school, admin);
  expectStatus(200, await owner.delete(`/members/${admin.userId}`));
  expectStatus(200, await owner.post(`/people/${admin.personId}/erase`));

  const rows = [...(await rowsOf(school, "records")), ...(await rowsOf(school, "organization"))];
  const theirs = rows.filter(({ actor }) => actor.id === admin.userId);
  const left = theirs.filter(({ subject }) => subject.id !== admin.userId && subject.id !== admin.personId);
  expect(left.length).toBeGreaterThanOrEqual(6);
  for (const { action, actor, after } of left)
    expect([action, actor.name, after === null]).toEqual([action, "Erased person", false]);
  const settings = left.find(({ action }) => action === "finance_settings.updated");
  expect(settings?.after).toMatchObject({ iban: "DE89370400440532013000" });
  expect(await tracesOf(school, "Zelda Quux", admin.email)).toEqual(ofAccount);
  expect(await verified(school)).toMatchObject({ ok: true });
});

test("a payload that was replaced is not replaced again unnoticed", async () => {
  const school = await newOwnSchool();
  const admin = await school.join(["admin"], "Zelda Quux");
  await acts(school, admin);
  expectStatus(200, await school.owner.delete(`/members/${admin.userId}`));
  expectStatus(200, await school.owner.post(`/people/${admin.personId}/erase`));
  await tenantOf(school).write((tx) =>
    tx.run(sql`update audit_log set payload = replace(payload, 'DE89370400440532013000', 'DE02120300000000202051')
      where action = 'finance_settings.updated'`),
  );
  expect(await verified(school)).toMatchObject({ ok: false });
});

test("an account that somebody linked to a person for a minute loses nothing when that person is erased", async () => {
  const school = await newOwnSchool();
  const { owner, join, installation } = school;
  const anna = await join(["admin"], "Anna Berg");
  await acts(school, anna);
  const link = async (id: string, user_id: string | null) =>
    expectStatus(200, await owner.patch(`/people/${id}`, { user_id }));
  await link(anna.personId, null);
  const decoy = { name: "Throw Away", types: ["staff"], user_id: anna.userId };
  const { id } = expectStatus(201, await owner.post("/people", decoy)).body.data;
  installation.clock.advance(60_000);
  await link(id, null);
  expectStatus(200, await owner.delete(`/members/${anna.userId}`));
  const before = await rowsOf(school, "records");
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const byAnna = (rows: Row[]) => rows.filter(({ actor }) => actor.id === anna.userId);
  expect(byAnna(await rowsOf(school, "records"))).toEqual(byAnna(before));
  expect(byAnna(before).map(({ actor }) => actor.name)).toContain("Anna Berg");
});
