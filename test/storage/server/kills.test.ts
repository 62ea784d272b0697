/** A long run: `KILLS=60 bun test --timeout 600000 test/storage/server/kills.test.ts`. */
import { afterEach, expect, test } from "bun:test";
import { expectStatus, newSchool, times } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

const kills = Number(process.env.KILLS ?? 3);

/** Answers between two kills: so the work goes on, however slow the machine is. */
const answersBetween = 4;

/** Each has three answers. */
const flights = Math.ceil((kills * answersBetween) / 3) + 1;

test("under kills of the server, nothing acknowledged is lost, and nothing doubled with an Idempotency-Key", async () => {
  const sqld = await newServer();
  const installation = await installationOn(sqld);
  const { student, instructor, flightBody, aircraft } = await newSchool(installation);
  const minutes = (await aircraft()).airframe_minutes;
  let answers = 0;
  let killing: Promise<unknown> = Promise.resolve();

  /** Repeats a request with one key until it has an answer that is none of the server's faults. */
  async function send(by: typeof student, path: string, body?: unknown) {
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (;;) {
      const answer = await by.call("POST", `/orgs/${by.orgId}${path}`, { body, headers });
      if (answer.status === 503) continue;
      answers += 1;
      // While the requests of the other flights are under way.
      if (answers % answersBetween === 0 && answers <= kills * answersBetween)
        killing = killing.then(sqld.kill).then(sqld.start);
      return answer;
    }
  }
  async function fly(at: number): Promise<string> {
    const draft = await send(student, "/flights", flightBody({ blockMinutes: 30 + at }));
    const { id } = expectStatus(201, draft).body.data;
    expectStatus(200, await send(student, `/flights/${id}/submit`));
    expectStatus(200, await send(instructor, `/flights/${id}/approve`));
    return id;
  }
  const flown = await Promise.all(times(flights, fly));
  await killing;
  expect(answers).toBe(3 * flights);

  const listed = expectStatus(200, await instructor.get("/flights?limit=100")).body.data;
  expect(listed.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).sort()).toEqual(
    flown.map((id) => `${id} approved`).sort(),
  );
  const sum = times(flights, (at) => 30 + at).reduce((all, block) => all + block, 0);
  expect((await aircraft()).airframe_minutes).toBe(minutes + sum);
});
