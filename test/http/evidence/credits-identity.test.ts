/** Whose pack is credited, which credits it replaces, and what nobody can write instead of a pack. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { expectStatus } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { forged, forger, partsOf, sendPack, statedByForger, trainedElsewhere } from "./packing.ts";

const key = `key=${forger.thumbprint}`;
const at = (issued_at: string) => ({ stated: { issued_at } });

async function begun() {
  const school = await newTrainingSchool();
  const enrollmentId = await enroll(school);
  const path = `/training/enrollments/${enrollmentId}`;
  const send = (zip: Buffer) => sendPack(school.owner, enrollmentId, key, zip);
  const credits = async () => expectStatus(200, await school.owner.get(path)).body.data.credits;
  return { school, owner: school.owner, student: school.student, enrollmentId, path, send, credits };
}

test("a pack is credited if all that both schools know of the person agrees", async () => {
  const { owner, student, send } = await begun();
  const [born, licence] = ["2004-02-29", "DE.FCL.4711"];
  for (const [here, there, differs] of [
    [{ name: "Zoë Fischer-Groß" }, { name: "ZOE FISCHER GROSS" }, ""],
    [{ name: "Sam Weber", date_of_birth: born }, { name: "Sam Weber" }, ""],
    [{ name: "Sam Weber", date_of_birth: born }, { name: "Sam Weber", date_of_birth: "2004-03-01" }, "date_of_birth"],
    [{ name: "Sam Weber", date_of_birth: born }, { name: "Sam Student", date_of_birth: born }, "name"],
    [{ licence_number: licence }, { name: "Sam Weber", licence_number: "DE.FCL.4712" }, "licence_number"],
    [
      { date_of_birth: born, licence_number: licence },
      { name: "Sam New", date_of_birth: born, licence_number: licence },
      "",
    ],
    [{ date_of_birth: null }, { name: "Sam New", date_of_birth: born, licence_number: licence }, "name"],
    [
      { name: "A", date_of_birth: born, licence_number: "1" },
      { name: "B", date_of_birth: "2000-01-01", licence_number: "2" },
      "date_of_birth, licence_number, name",
    ],
  ] as const) {
    expectStatus(200, await owner.patch(`/people/${student.personId}`, here));
    const { status, body } = await send(forged(partsOf({ dual_minutes: 60 }, there)));
    if (differs === "") expect([here, there, status]).toEqual([here, there, 200]);
    else
      expect([status, body.error.reason, body.error.message.split("Different here: ")[1]]).toEqual([
        409,
        "other_subject",
        `${differs}.`,
      ]);
  }
});

test("a newer pack replaces the credits of its training, also with none, and an older one is refused", async () => {
  const { send, credits } = await begun();
  const day = (day: number) => at(`2026-06-0${day}T00:00:00.000Z`);
  expectStatus(200, await send(forged(partsOf({ dual_minutes: 60 }), day(3))));
  const before = await credits();
  const older = expectStatus(409, await send(forged(partsOf({ dual_minutes: 50 }), day(2))));
  expect(older.body.error).toMatchObject({ reason: "pack_outdated" });
  expect(await credits()).toEqual(before);

  // An enrollment with the same id at another issuer is another training.
  const issuer = { ...statedByForger.issuer, id: trainedElsewhere };
  expectStatus(200, await send(forged(partsOf({ dual_minutes: 7 }), { stated: { issuer } })));
  expect((await credits()).map(({ amount }: { amount: number }) => amount)).toEqual([60, 7]);
  expectStatus(200, await send(forged(partsOf({ dual_minutes: 0 }), day(4))));
  expect((await credits()).map(({ amount }: { amount: number }) => amount)).toEqual([7]);
});

test("an import exceeds the limit of credits no more than a change", async () => {
  const { owner, path, send, credits } = await begun();
  const own = Array.from({ length: 30 }, (_, index) => ({
    measure: "landings",
    amount: 1,
    reason: `Glider ${index}.`,
  }));
  expectStatus(200, await owner.patch(path, { credits: own }));
  expect(expectStatus(409, await send(forged(partsOf({ dual_minutes: 60 })))).body.error.reason).toBe("limit_reached");
  expect(await credits()).toHaveLength(30);
});

test("only an import writes the source of a credit", async () => {
  const { school, owner, path, send, credits } = await begun();
  expectStatus(200, await send(forged(partsOf({ dual_minutes: 60, landings: 5 }))));
  const [first, second] = await credits();
  const refused = async (given: object[]) =>
    expectStatus(400, await owner.patch(path, { credits: given })).body.issues.map(
      (issue: { path: string }) => issue.path,
    );
  expect(await refused([{ ...first, amount: 600 }, second])).toEqual(["body.credits.0.source"]);
  expect(await refused([first, first])).toEqual(["body.credits.1.source"]);
  expect(await refused([{ ...first, source: { ...first.source, sha256: "0".repeat(64) } }])).toEqual([
    "body.credits.0.source",
  ]);
  expectStatus(200, await owner.patch(path, { credits: [second] }));
  expect(await credits()).toEqual([second]);
  const other = { student_id: owner.personId, revision_id: school.revision.id, started_on: "2026-01-15" };
  expectStatus(200, await owner.patch(`/people/${owner.personId}`, { types: ["student"] }));
  expectStatus(400, await owner.post("/training/enrollments", { ...other, credits: [first] }));
  const log = expectStatus(200, await owner.get("/audit-log?action=enrollment.credits_imported&limit=1")).body.data;
  expect(log[0].after.credits[0].source).toMatchObject({
    key_thumbprint: forger.thumbprint,
    sha256: first.source.sha256,
  });
});

test("nobody credits their own training, or a pack that their own organization has signed", async () => {
  const { school, owner, send } = await begun();
  expectStatus(200, await owner.patch(`/people/${owner.personId}`, { types: ["student"] }));
  const own = await enroll(school, { student_id: owner.personId });
  const zip = forged(partsOf({ dual_minutes: 60 }));
  expect(expectStatus(403, await sendPack(owner, own, key, zip)).body.error.reason).toBe("own_training");
  await school.installation.storage.tenants.tenant(school.orgId as OrgId).write((tx) =>
    tx.run(sql`insert into signing_keys (id, public_key, sealed_private_key, created_at, retired_at)
        values ('x', ${forger.x}, '', '2026-01-01', '2026-01-02')`),
  );
  expect(expectStatus(409, await send(zip)).body.error).toMatchObject({
    reason: "pack_not_valid",
    message: "The evidence pack is of this organization itself.",
  });
});

test("a pack with more than can be read at once, or with something else than a training, is refused", async () => {
  const { send } = await begun();
  const { "person.json": person, "training.json": training } = partsOf({ dual_minutes: 60 });
  // Fields that are not read count, too.
  const many = training.replace('"ppl_a"', `"ppl_a","more":[${"1,".repeat(10_000)}1]`);
  for (const content of [many, "[", "null", `[${"{},".repeat(300)}{}]`, " ".repeat(600_000), "[".repeat(100_000)]) {
    const { status, body } = await send(forged({ "person.json": person, "training.json": content }));
    expect([content.slice(0, 20), status, body.error?.reason]).toEqual([content.slice(0, 20), 409, "pack_not_valid"]);
  }
  expectStatus(200, await send(forged({ "person.json": person, "training.json": training })));
  const padded = { ...statedByForger, more: Array.from({ length: 5000 }, () => 1) };
  expect((await send(forged({ "person.json": person }, { stated: padded }))).status).toBe(409);
});
