import { afterEach, expect, test } from "bun:test";
import { expectStatus, newSchool, times } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

test("under kills of the server, nothing acknowledged is lost, and nothing doubled with an Idempotency-Key", async () => {
  const sqld = await newServer();
  const installation = await installationOn(sqld);
  const { student, instructor, flightBody, aircraft } = await newSchool(installation);
  const minutes = (await aircraft()).airframe_minutes;
  let isOver = false;

  /** Repeats a request with one key until it has an answer that is none of the server's faults. */
  async function send(by: typeof student, path: string, body?: unknown) {
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (;;) {
      const answer = await by.call("POST", `/orgs/${by.orgId}${path}`, { body, headers });
      // 409: an earlier try is not over, or was carried out without a stored answer.
      if (answer.status !== 503) return answer;
    }
  }
  async function fly(at: number) {
    const draft = await send(student, "/flights", flightBody({ blockMinutes: 30 + at }));
    const { id } = expectStatus(201, draft).body.data;
    expectStatus(200, await send(student, `/flights/${id}/submit`));
    expectStatus(200, await send(instructor, `/flights/${id}/approve`));
    return id;
  }
  async function killNowAndThen() {
    let kills = 0;
    while (!isOver) {
      await sqld.kill();
      await sqld.start();
      kills += 1;
      // Until some work is done, so that both go on.
      await student.get("/flights");
    }
    return kills;
  }
  const killing = killNowAndThen();
  const flown: string[] = await Promise.all(times(12, fly)).finally(() => {
    isOver = true;
  });
  expect(await killing).toBeGreaterThan(1);

  const listed = expectStatus(200, await instructor.get("/flights?limit=100")).body.data;
  expect(listed.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).sort()).toEqual(
    flown.map((id) => `${id} approved`).sort(),
  );
  const sum = times(12, (at) => 30 + at).reduce((all, block) => all + block, 0);
  expect((await aircraft()).airframe_minutes).toBe(minutes + sum);
}, 120_000);
