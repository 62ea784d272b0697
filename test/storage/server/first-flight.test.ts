import { afterEach, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

test("a school on a server drafts, submits and approves a flight, and has it after a restart", async () => {
  const sqld = await newServer();
  const first = await installationOn(sqld);
  const { submitFlight, student, instructor, aircraft } = await newSchool(first);
  const flight = await submitFlight(student, { blockMinutes: 62 });
  const before = await aircraft();

  expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
  expect(await aircraft()).toMatchObject({ airframe_minutes: before.airframe_minutes + 62 });
  expect(statusOf(await instructor.post(`/flights/${flight.id}/approve`))).toBe(409);
  await first.close();

  const again = await installationOn(sqld, { prefix: first.prefix, clock: first.clock });
  const { token, orgId } = instructor;
  const read = await again.call("GET", `/orgs/${orgId}/flights/${flight.id}`, { token });
  expect(expectStatus(200, read).body.data).toMatchObject({ id: flight.id, status: "approved" });
});

const statusOf = ({ status }: { status: number }): number => status;
