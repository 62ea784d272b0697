import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { expectStatus, newSchool } from "../../support/school.ts";
import { booked, during } from "./booking.ts";

test("a person's sessions, hours, absences and wishes are exported, and erased but for the times", async () => {
  const school = await newSchool();
  const { owner } = school;
  const body = { name: "Ada Gone", types: ["student"], email: "ada.gone@example.com" };
  const { id } = expectStatus(201, await owner.post("/people", body)).body.data;
  const session = await booked(owner, {
    ...during("2098-07-01T10:00Z"),
    kind: "ground",
    student_ids: [id],
    notes: "Ada Gone is new.",
  });
  expectStatus(
    201,
    await owner.post("/planning/hours", { person_id: id, weekday: 3, from_time: "08:00", to_time: "24:00" }),
  );
  expectStatus(
    201,
    await owner.post("/planning/absences", {
      person_id: id,
      from_on: "2098-08-01",
      until_on: "2098-08-02",
      reason: "Moves.",
    }),
  );
  const wish = { person_id: id, from_at: "2098-07-01T00:00:00Z", until_at: "2098-07-02T00:00:00Z", minutes: 60 };
  expectStatus(201, await owner.post("/planning/wishes", wish));
  const request = new Request(`http://localhost/orgs/${school.orgId}/people/${id}/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const zip = await (await school.installation.app.fetch(request)).arrayBuffer();
  const text = Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString();
  for (const part of [session.id, "planning_hours", "Moves.", "planning_wishes"]) expect(text).toContain(part);
  expect(expectStatus(409, await owner.post(`/people/${id}/erase`)).body.error.reason).toBe("sessions_planned");
  expectStatus(
    200,
    await owner.post(`/planning/sessions/${session.id}/cancel`, { reason: "student", note: "Ada Gone left." }),
  );
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const left = (await owner.get(`/planning/sessions/${session.id}`)).text;
  expect(left).not.toContain("Ada Gone");
  expect(left).toContain(session.start_at);
  for (const list of ["hours", "absences", "wishes"])
    expect((await owner.get(`/planning/${list}?person_id=${id}`)).body.data).toEqual([]);
});
