/** What becomes of a mention of an erased person in the records of others, as readers see it. */
import { expect, test } from "bun:test";
import { found, publish } from "../../support/directory.ts";
import { newAccount, publishedOpportunity } from "../../support/market.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { booked, during } from "../planning/booking.ts";

const erase = async ({ owner }: School, person: Record<string, unknown>): Promise<void> => {
  const { id } = expectStatus(201, await owner.post("/people", { types: ["pilot"], ...person })).body.data;
  expectStatus(200, await owner.post(`/people/${id}/erase`));
};
const zelda = { name: "Zelda Quux", email: "zelda@quux.example", phone: "+49 30 1234" };

test("an erased person is nobody's contact in an emergency: neither by name nor by number", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const contact = async ({ personId }: { personId: string }, change?: object) =>
    expectStatus(200, await (change ? owner.patch(`/people/${personId}`, change) : owner.get(`/people/${personId}`)))
      .body.data;
  await contact(student, { emergency_name: zelda.name, emergency_phone: "030 1234", emergency_relation: "Mother" });
  await contact(instructor, { emergency_name: "Flatmate", emergency_phone: zelda.phone });
  const kept = { emergency_name: "Olaf Other", emergency_phone: "+49 30 99", emergency_relation: "Brother" };
  const before = await contact(owner, kept);
  await erase(school, zelda);
  expect(await contact(student)).toMatchObject({
    ...{ emergency_name: "Erased person", emergency_phone: null, emergency_relation: "Mother" },
  });
  expect(await contact(instructor)).toMatchObject({ emergency_name: "Flatmate", emergency_phone: null });
  expect(await contact(owner)).toEqual(before);
});

test("rooms that are named after two erased people have different names, which their sessions show", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const rooms = [];
  for (const name of ["Office of Zelda Quux", "Office of Mia Muster", "Hangar"])
    rooms.push(expectStatus(201, await owner.post("/planning/rooms", { name })).body.data);
  const theory = { ...during("2098-07-01T10:00Z"), kind: "ground", student_ids: [student.personId] };
  const session = await booked(owner, { ...theory, room_id: rooms[0].id });
  await erase(school, zelda);
  await erase(school, { name: "Mia Muster" });
  const names = (await owner.get("/planning/rooms")).body.data.map(({ name }: { name: string }) => name);
  expect(names).toEqual([
    "Hangar",
    expect.stringMatching(/^Office of Erased person \d+$/),
    expect.stringMatching(/^Office of Erased person \d+$/),
  ]);
  const { updated_at } = expectStatus(200, await owner.get(`/planning/sessions/${session.id}`)).body.data;
  expect(updated_at > session.updated_at).toBe(true);
});

test("a name that another person has, too, stays where it is mentioned", async () => {
  const school = await newSchool();
  const { owner } = school;
  const name = "Office of Zelda Quux";
  expectStatus(201, await owner.post("/planning/rooms", { name }));
  const other = expectStatus(201, await owner.post("/people", { name: zelda.name, types: ["pilot"] })).body.data;
  const room = async () => expectStatus(200, await owner.get("/planning/rooms")).body.data[0].name;
  await erase(school, zelda);
  expect(await room()).toBe(name);
  expectStatus(200, await owner.post(`/people/${other.id}/erase`));
  expect(await room()).toMatch(/^Office of Erased person \d+$/);
});

test("another customer's address for invoices is cleared if it is the person's, and their company keeps its name", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const path = `/finance/customers/${student.personId}`;
  expectStatus(200, await owner.patch(path, { company: "Flying with Zelda Quux GmbH", email: zelda.email }));
  await erase(school, zelda);
  const customer = expectStatus(200, await owner.get(path)).body.data;
  expect(customer).toMatchObject({ company: "Flying with Erased person GmbH", email: null });
});

test("an erasure changes the texts of its own school only, also in what all schools share", async () => {
  const school = await newSchool();
  const { installation } = school;
  const other = await newSchool(installation);
  const message = `Zelda Quux (${zelda.email}) told me of it.`;
  const title = "Fly with Zelda Quux";
  async function told({ owner }: School) {
    const id = await publishedOpportunity(owner, { title });
    const { token } = await newAccount(installation);
    const apply = await installation.call("POST", `/opportunities/${id}/applications`, { token, body: { message } });
    const application = expectStatus(201, apply).body.data.id;
    return async () => [
      expectStatus(200, await owner.get(`/opportunities/${id}`)).body.data.title,
      expectStatus(200, await owner.call("GET", `/applications/${application}`)).body.data.message,
    ];
  }
  const [own, others] = [await told(school), await told(other)];
  await erase(school, zelda);
  expect(await own()).toEqual(["Fly with Erased person", "Erased person (Erased person) told me of it."]);
  expect(await others()).toEqual([title, message]);
});

test("the directory follows where a profile of another named the person", async () => {
  const school = await newSchool();
  const { owner, orgId, installation } = school;
  const word = `Flights${orgId.slice(-12)}`;
  const profile = { headline: `${word} with Zelda Quux`, email: zelda.email, fields: ["headline", "email"] };
  await publish(owner, "schools", orgId, profile);
  const entry = async () =>
    (await found(installation, "schools", `?q=${word}`)).find((one: { id: string }) => one.id === orgId);
  expect(await entry()).toMatchObject({ headline: `${word} with Zelda Quux` });
  await erase(school, zelda);
  expect(await entry()).toMatchObject({ headline: `${word} with Erased person`, email: null });
});
