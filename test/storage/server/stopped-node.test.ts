/** A node is stopped (SIGSTOP) in the middle of a transaction, for longer than the server lets one last. */
import { afterEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { events } from "../../../src/events/events.tables.ts";
import { auditVerify } from "../../../src/modules/operations/commands.ts";
import { auditLog } from "../../../src/storage/shared.tables.ts";
import { depsOf } from "../../http/moving/moves.ts";
import { endProcesses, startServer, urlOf } from "../../runtime/processes.ts";
import { TestClock } from "../../support/clock.ts";
import { expectStatus, newSchool, password } from "../../support/school.ts";
import { cleanUp, newDirectory } from "../temporary.ts";
import { countsFlight } from "./cable.ts";
import { cableTo, installationOn, newServer, variablesFor } from "./servers.ts";

afterEach(async () => {
  await endProcesses();
  await cleanUp();
});

/** Milliseconds after which the server ends a transaction that does nothing, by default. */
const transactionTimeout = 5000;

test("a node that is stopped inside a transaction doubles nothing, loses nothing, and goes on serving", async () => {
  const sqld = await newServer();
  // As that of the process.
  const other = await installationOn(sqld, { prefix: "stopped-", clock: new TestClock(new Date().toISOString()) });
  const school = await newSchool(other);
  const { student, instructor, aircraft, orgId } = school;
  const before = (await aircraft()).airframe_minutes;
  const blocks = [31, 32, 33];
  const flights: string[] = [];
  for (const blockMinutes of blocks) flights.push((await school.submitFlight(student, { blockMinutes })).id);
  const [own = "", others = "", last = ""] = flights;

  const { cable, settings } = await cableTo(sqld, "stopped-");
  const node = await startServer({
    ...(await variablesFor(sqld, "stopped-")),
    WINDSOCK_STORE_URL: settings.url,
    WINDSOCK_DATA_DIR: await newDirectory(),
  });
  const url = await urlOf(node);
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const type = { "content-type": "application/json" };
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { ...type, ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { access_token: token } = (await post("/auth/login", { email: instructor.email, password })).body;
  const approve = (id: string, key: string) =>
    post(`/orgs/${orgId}/flights/${id}/approve`, {}, { authorization: `Bearer ${token}`, "idempotency-key": key });

  const stopped = cable.answered(countsFlight, () => node.stopWholly());
  const key = crypto.randomUUID();
  const answered = approve(own, key);
  await stopped;
  // The server has begun its transaction, so this one waits until the server has ended that.
  const since = performance.now();
  expectStatus(200, await instructor.post(`/flights/${others}/approve`));
  expect(performance.now() - since).toBeGreaterThan(transactionTimeout - 1000);
  await Bun.sleep(Math.max(0, 6000 - (performance.now() - since)));
  node.signal("SIGCONT");

  // It is carried out again, or it is an error and its repetition is carried out.
  const first = await answered;
  expect([200, 503]).toContain(first.status);
  for (let answer = first; answer.status !== 200; answer = await approve(own, key))
    expect(answer).toMatchObject({ status: 503 });
  expect(await approve(own, key)).toMatchObject({ status: 200, body: { data: { id: own, status: "approved" } } });
  expect(await approve(last, crypto.randomUUID())).toMatchObject({ status: 200 });

  expect((await aircraft()).airframe_minutes).toBe(before + 31 + 32 + 33);
  const [audited, told] = await other.storage.tenants
    .tenant(orgId as OrgId)
    .read((reader) =>
      Promise.all([
        reader.select({ id: auditLog.subject_id }).from(auditLog).where(eq(auditLog.action, "flight.approved")),
        reader.select({ data: events.data }).from(events).where(eq(events.type, "flight.approved")),
      ]),
    );
  expect(audited.map(({ id }) => id)).toEqual([others, own, last]);
  expect(told.map(({ data }) => JSON.parse(String(data)).flight.id)).toEqual([others, own, last]);
  expect(await auditVerify.handle(depsOf(other), {})).toMatchObject({ ok: true });
}, 60_000);
