/** Helpers that the verbs of every module use on a tenant's rows. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { OrgId, PersonId } from "../../src/core/ids.ts";
import { personEntity } from "../../src/modules/people/people.queries.ts";
import { removeRow } from "../../src/storage/entity.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import { startOf } from "../../src/storage/today.ts";
import { expectStatus, newSchool } from "../support/school.ts";

test("removeRow deletes the row, and the audit log has it as it was", async () => {
  const { installation, orgId, owner } = await newSchool();
  const body = { name: "Anna Berg", types: ["student"] };
  const { id } = expectStatus(201, await owner.post("/people", body)).body.data;
  const tenant = installation.storage.tenants.tenant(orgId as OrgId);
  const by = { actor: { kind: "command_line" }, requestId: "" } as const;
  const remove = () =>
    tenant.write((tx) => removeRow(tx, by, personEntity, { id: id as PersonId, action: "person.removed" }));

  await remove();

  expectStatus(404, await owner.get(`/people/${id}`));
  const [row] = await tenant.read((reader) =>
    reader.select().from(auditLog).where(eq(auditLog.action, "person.removed")),
  );
  expect(JSON.parse(row?.payload ?? "")).toMatchObject({ before: { id, name: "Anna Berg" } });
  await expect(remove()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["2026-06-15", "2026-06-14T22:00:00.000Z"],
  ["2026-03-29", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "2026-03-29T22:00:00.000Z"],
])("startOf %s is the first moment of the day in the organization's time zone", async (date, instant) => {
  const { installation, orgId } = await newSchool();
  const tenant = installation.storage.tenants.tenant(orgId as OrgId);
  expect(String(await tenant.read((reader) => startOf(reader, Temporal.PlainDate.from(date))))).toBe(instant);
});
