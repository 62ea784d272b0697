/** Helpers that the verbs of every module use on a tenant's rows. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Actor } from "../../src/core/actor.ts";
import { newId, type OrgId, type PersonId } from "../../src/core/ids.ts";
import { personEntity } from "../../src/modules/people/people.queries.ts";
import { person } from "../../src/modules/people/people.shapes.ts";
import { people } from "../../src/modules/people/people.tables.ts";
import { ascending, listOf } from "../../src/storage/page.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import type { Reader } from "../../src/storage/store.ts";
import { startOf } from "../../src/storage/today.ts";
import { addVerb, changeVerb, removeVerb } from "../../src/storage/verbs.ts";
import { expectStatus, newSchool } from "../support/school.ts";

/** The context of the command line, which holds all permissions. */
async function scene(actor: Actor = { kind: "command_line" }) {
  const { installation, orgId, owner } = await newSchool();
  const { clock, storage } = installation;
  const tenant = storage.tenants.tenant(orgId as OrgId);
  const control = { read: unused, write: unused, changes: 0 };
  return { context: { actor, requestId: "", clock, control, tenant }, owner };
}
const unused = () => Promise.reject(new Error("The verb needs no control database."));

const removePerson = removeVerb(personEntity, { permission: "people:manage" });

test("removeVerb deletes the row, and the audit log has it as it was", async () => {
  const { context, owner } = await scene();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  const remove = () => removePerson(context, { personId: id as PersonId });

  await remove();

  expectStatus(404, await owner.get(`/people/${id}`));
  const [row] = await context.tenant.read((reader) =>
    reader.select().from(auditLog).where(eq(auditLog.action, "person.removed")),
  );
  expect(JSON.parse(row?.payload ?? "")).toMatchObject({ before: { id, name: "Anna Berg" } });
  await expect(remove()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a verb checks the permission before anything else, and the compiler rejects what is no column", async () => {
  const { context } = await scene({ kind: "anonymous" });
  const forbidden = { code: "FORBIDDEN" };
  const at = { personId: newId<"person">(context.clock) };
  await expect(removePerson(context, at)).rejects.toMatchObject(forbidden);
  const unexpected = () => Promise.reject(new Error("The permission is checked first."));
  const [add, change] = [
    addVerb(personEntity, { permission: "people:manage", before: unexpected, row: unexpected }),
    changeVerb(personEntity, { permission: "people:manage", before: unexpected, set: unexpected }),
  ];
  await expect(add(context, {}, {})).rejects.toMatchObject(forbidden);
  await expect(change(context, at)).rejects.toMatchObject(forbidden);
  // @ts-expect-error no column
  changeVerb(personEntity, { permission: "people:manage", set: async () => ({ name: "Ada", nam: "Ada" }) });
  // @ts-expect-error no column
  const misspelled = () => listOf(person, { from: people, orderBy })({} as Reader, { limit: 1, nam: "Ada" });
  const orderBy = ascending(person, "name", "id");
  expect(misspelled).toThrow("no column");
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
