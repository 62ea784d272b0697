import { expect, test } from "bun:test";
import { newSchool } from "../../support/school.ts";

test("a member who is removed while their request's body arrives is refused", async () => {
  const school = await newSchool();
  const { instructor, owner, installation } = school;
  const flight = await school.submitFlight(school.student);

  const [isRead, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead.resolve();
        await removed.promise;
        controller.enqueue(new TextEncoder().encode("{}"));
        controller.close();
      },
    },
    { highWaterMark: 0 }, // not pulled before it is read
  );
  const path = `/orgs/${school.orgId}/flights/${flight.id}/approve`;
  const headers = { authorization: `Bearer ${instructor.token}`, "content-type": "application/json" };
  const answer = installation.app.handle(new Request(`http://localhost${path}`, { method: "POST", headers, body }));

  await isRead.promise;
  await owner.delete(`/members/${instructor.userId}`);
  removed.resolve();

  expect((await answer).status).toBe(404);
  expect((await owner.get(`/flights/${flight.id}`)).body.data.status).toBe("submitted");
});
