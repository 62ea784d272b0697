import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";

const paths = (answer: { body: { issues: { path: string }[] } }) => answer.body.issues.map(({ path }) => path);

const instructorBody = { name: "Finn", types: ["instructor"] };
const add = async (by: Member, body: object): Promise<string> =>
  expectStatus(201, await by.post("/people", { ...instructorBody, ...body })).body.data.id;

test("a restricted instructor needs a supervisor", async () => {
  const { owner, instructor } = await newSchool();
  const restricted = { ...instructorBody, restricted_instructor: true };

  expect(paths(expectStatus(400, await owner.post("/people", restricted)))).toEqual(["body.supervisor_id"]);
  expectStatus(201, await owner.post("/people", { ...restricted, supervisor_id: instructor.personId }));
});

test("a supervisor is another, unrestricted instructor of the school", async () => {
  const { owner, instructor, student } = await newSchool();
  const restricted = await add(owner, { restricted_instructor: true, supervisor_id: instructor.personId });
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";

  for (const supervisor_id of [null, nobody, student.personId, restricted]) {
    const change = await owner.patch(`/people/${restricted}`, { supervisor_id });
    expect(paths(expectStatus(400, change))).toEqual(["body.supervisor_id"]);
    const body = { ...instructorBody, restricted_instructor: true, supervisor_id };
    expect(paths(expectStatus(400, await owner.post("/people", body)))).toEqual(["body.supervisor_id"]);
  }
});

test("an unrestricted instructor can't become restricted under their own supervision", async () => {
  const { owner, instructor } = await newSchool();
  const path = `/people/${instructor.personId}`;

  const change = await owner.patch(path, { restricted_instructor: true, supervisor_id: instructor.personId });

  expect(paths(expectStatus(400, change))).toEqual(["body.supervisor_id"]);
  expect((await owner.get(path)).body.data).toMatchObject({ restricted_instructor: false, supervisor_id: null });
});

test("only an instructor can be a restricted instructor, and only a restricted instructor has a supervisor", async () => {
  const { owner, instructor } = await newSchool();
  const supervisor_id = instructor.personId;

  const pilot = await owner.post("/people", {
    name: "P",
    types: ["pilot"],
    restricted_instructor: true,
    supervisor_id,
  });
  expect(paths(expectStatus(400, pilot))).toEqual(["body.restricted_instructor"]);
  const free = await owner.post("/people", { ...instructorBody, supervisor_id });
  expect(paths(expectStatus(400, free))).toEqual(["body.supervisor_id"]);
});

test("a supervisor must stay an unrestricted instructor until another person supervises", async () => {
  const { owner, instructor } = await newSchool();
  const other = await add(owner, {});
  const restricted = await add(owner, { restricted_instructor: true, supervisor_id: instructor.personId });
  const supervisor = `/people/${instructor.personId}`;

  const demoted = await owner.patch(supervisor, { types: ["pilot"] });
  expect(paths(expectStatus(400, demoted))).toEqual(["body.types"]);
  const becomesRestricted = await owner.patch(supervisor, { restricted_instructor: true, supervisor_id: other });
  expect(paths(expectStatus(400, becomesRestricted))).toEqual(["body.restricted_instructor"]);
  expectStatus(200, await owner.patch(supervisor, { name: "Ines the Supervisor" }));

  expectStatus(200, await owner.patch(`/people/${restricted}`, { supervisor_id: other }));
  expectStatus(200, await owner.patch(supervisor, { types: ["pilot"] }));
});

test("lifting the restriction removes the supervisor", async () => {
  const { owner, instructor } = await newSchool();
  const restricted = await add(owner, { restricted_instructor: true, supervisor_id: instructor.personId });

  const lifted = await owner.patch(`/people/${restricted}`, { restricted_instructor: false });

  expect(expectStatus(200, lifted).body.data).toMatchObject({ restricted_instructor: false, supervisor_id: null });
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { types: ["pilot"] }));
});
