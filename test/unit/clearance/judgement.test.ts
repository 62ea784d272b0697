/** What was found about a person is kept: a second matrix finds nothing anew of whom nothing has changed. */
import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { judgingFor } from "../../../src/modules/clearance/matrix/judgement.ts";
import { candidatesFor, fleetFacts } from "../../../src/modules/clearance/matrix/matrix-facts.queries.ts";
import { expectStatus, newSchool } from "../../support/school.ts";

test("of whom nothing has changed, the same judgement is told again", async () => {
  const { installation, owner, orgId, student, instructor } = await newSchool();
  const ids = [student, instructor].map(({ personId }) => personId).filter(isId<"person">);
  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  const at = toInstant(installation.clock.now());
  const adds = { hobbs: 100, tacho: 100, airframe_minutes: 60, landings: 1 };
  const use = { at, ends_at: at, adds, passengers: 1, night: false, enrollment_id: null, supervisor_id: null };
  const judge = () =>
    installation.storage.tenants.tenant(orgId).read(async (reader) => {
      const { school, planes } = await fleetFacts(reader, use);
      const candidates = await candidatesFor(reader, ids, { use, onBoard: "pic", school });
      const judgementOf = judgingFor(planes, { school, use, onBoard: "pic" });
      return ids.map((id) => candidates.get(id)).map((one) => one && judgementOf(one));
    });
  const [first, other] = await judge();
  const [again, otherAgain] = await judge();
  expect([again === first, otherAgain === other, first === undefined]).toEqual([true, true, false]);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-05-05" }));
  const [changed, untouched] = await judge();
  expect([changed === first, untouched === other]).toEqual([false, true]);
});
