import { expect, test } from "bun:test";
import { newSchool } from "../../support/school.ts";

test("a member who is removed while their request's body arrives is refused", async () => {
  const school = await newSchool();
  const { instructor, owner, installation } = school;
  const flight = await school.submitFlight(school.student);

  let send: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = controller;
      controller.enqueue(new TextEncoder().encode("{"));
    },
  });
  const path = `/orgs/${school.orgId}/flights/${flight.id}/approve`;
  const headers = { authorization: `Bearer ${instructor.token}`, "content-type": "application/json" };
  const answer = installation.app.handle(new Request(`http://localhost${path}`, { method: "POST", headers, body }));

  await owner.delete(`/members/${instructor.userId}`);
  send?.enqueue(new TextEncoder().encode("}"));
  send?.close();

  expect((await answer).status).toBe(404);
  expect((await owner.get(`/flights/${flight.id}`)).body.data.status).toBe("submitted");
});
