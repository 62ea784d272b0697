/** The stream of what others change: what arrives, when, and how a client goes on. */
import { expect, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { isId } from "../../../src/core/ids.ts";
import { audit } from "../../../src/storage/audit.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School, times } from "../../support/school.ts";
import { ask, type EventReader, follow, mark } from "./follow.ts";

const addRoom = async ({ owner }: Pick<School, "owner">): Promise<string> =>
  expectStatus(201, await owner.post("/planning/rooms", { name: crypto.randomUUID() })).body.data.id;

test("a flight that another desk approves arrives with its kind, its id and a revision, and so does its aircraft", async () => {
  const school = await newSchool();
  const { owner, installation, aircraftId } = school;
  const flight = await school.submitFlight(owner);
  const stream = await follow(installation, school.instructor);

  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));

  const revision = expect.stringMatching(/^\d+\.[0-9a-f]{16}-\d+\.[0-9a-f]{16}$/);
  const first = await stream.next();
  expect(first).toEqual({
    id: first.data.revision,
    event: "change",
    data: { kind: "aircraft", id: aircraftId, revision },
  });
  expect(await stream.next()).toMatchObject({ event: "change", data: { kind: "flight", id: flight.id, revision } });
});

test("what arrives is committed: a GET right after it shows it", async () => {
  const school = await newSchool();
  const stream = await follow(school.installation, school.instructor);
  const room = await addRoom(school);
  expect(await stream.next()).toMatchObject({ data: { kind: "planning_room", id: room } });
  expectStatus(200, await school.instructor.get(`/planning/rooms/${room}`));
});

test("a write that is rolled back is never told", async () => {
  const school = await newSchool();
  const stream = await follow(school.installation, school.instructor);
  const { installation, orgId, owner } = school;
  // The import writes the first line, and fails at the second.
  const lines = "registration,model,icao_type,class,hobbs,airframe_minutes\nD-EZZZ,C172,C172,SEP,1.00,60\nD-EYYY,,,,,";
  const failed = await installation.call("POST", `/orgs/${orgId}/aircraft/import`, {
    token: owner.token,
    body: new Blob([lines], { type: "text/csv" }),
  });
  expect(failed.status).toBeGreaterThanOrEqual(400);
  expect(await stream.before("organization", await mark(school))).toEqual([]);
});

test("several writes of one turn are told once for each record, in the order of the last change", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const stream = await follow(school.installation, school.instructor);
  const [room] = await Promise.all([
    addRoom(school),
    ...times(5, (n) => owner.patch(`/aircraft/${aircraftId}`, { model: `Cessna ${n}` })),
  ]);
  const told = await stream.before("organization", await mark(school));
  expect(new Set(told)).toEqual(new Set([`planning_room ${room}`, `aircraft ${aircraftId}`]));
  const revisions = stream.events.slice(1).map(({ id }) => Number.parseInt(id ?? "", 10));
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
});

test("another school learns nothing", async () => {
  const [school, other] = [await newSchool(), await newSchool()];
  const stream = await follow(school.installation, school.owner);
  await addRoom(other);
  await mark(other);
  expect(await stream.before("organization", await mark(school))).toEqual([]);
});

test("changes of members and invites arrive, too", async () => {
  const school = await newSchool();
  const stream = await follow(school.installation, school.owner);
  const invite = await school.owner.post("/invites", { email: "new@example.com", roles: ["student"] });
  const { id } = expectStatus(201, invite).body.data;
  expect(await stream.next()).toMatchObject({ data: { kind: "invite", id } });
  const roles = ["instructor", "mechanic"];
  expectStatus(200, await school.owner.patch(`/members/${school.student.userId}`, { roles }));
  expect(await stream.next()).toMatchObject({ data: { kind: "member", id: school.student.userId } });
});

test("a client that goes on from its revision gets what it missed, once, and nothing of before", async () => {
  const school = await newSchool();
  const { installation, instructor } = school;
  const stream = await follow(installation, instructor);
  const known = await addRoom(school);
  expect(await stream.before("planning_room", known)).toEqual([]);
  await stream.close();

  const [first, second] = [await addRoom(school), await addRoom(school)];
  const again = await follow(installation, instructor, stream.revision);
  expect(await again.before("organization", await mark(school))).toEqual([
    `planning_room ${first}`,
    `planning_room ${second}`,
  ]);
});

test("a client that saw nothing of the changes is told how far it is, and goes on from there", async () => {
  const school = await newOwnSchool({ heartbeat: 5 });
  const { installation } = school;
  const stream = await follow(installation, school.student);
  const before = stream.revision;
  const { body } = expectStatus(201, await school.owner.post("/people", { name: "Ada", types: ["pilot"] }));
  expect(body.data.id).toBeString();
  await stream.until(() => stream.revision !== before);
  expect(stream.events).toHaveLength(1);
});

test.each(["nonsense", "1.00-1.00", "99999.0123456789abcdef-1.0123456789abcdef", "0.-0."])(
  "after the unknown revision %s a stream says that everything is to be loaded anew",
  async (after) => {
    const school = await newSchool();
    const [stream] = [await follow(school.installation, school.owner, after)];
    if (after === "0.-0.") expect((await stream.next()).event).toBe("change");
    else expect(await stream.next()).toMatchObject({ event: "reset", data: { revision: expect.any(String) } });
  },
);

test.each([
  ["gets 500 changes that it has missed", 500, "change"],
  ["loads everything anew after 501", 501, "reset"],
])("a client %s", async (_, missed, first) => {
  const school = await newSchool();
  const { installation, owner } = school;
  const stream = await follow(installation, owner);
  await stream.close();
  if (!isId<"organization">(school.orgId)) throw new Error("It is an id.");
  const job = { actor: { kind: "job", name: "test" }, requestId: "" } as const;
  await installation.storage.tenants.tenant(school.orgId).write(async (tx) => {
    for (const n of times(missed, String))
      await audit(tx, job, "planning_room.updated", { subject: { kind: "planning_room", id: n } });
  });
  const again = await follow(installation, owner, stream.revision);
  expect((await again.next()).event).toBe(first);
});

test("after a file was restored from an older copy, clients load everything anew", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { storage, directory, clock } = installation;
  const file = join(directory, `${school.orgId}.db`);
  clock.advance(10_000);
  await storage.checkpointIdle();
  await copyFile(file, `${file}.copy`);
  const stream = await follow(installation, school.owner);
  await addRoom(school);
  await stream.next();
  await stream.close();
  await installation.storage.close();

  const { rename, rm } = await import("node:fs/promises");
  for (const suffix of ["-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
  await rename(`${file}.copy`, file);
  const restored = await newInstallation({ directory, clock });
  const again = await follow(restored, school.owner, stream.revision);
  expect((await again.next()).event).toBe("reset");
  await restored.close();
});

test("however writes and disconnects come, each change is told exactly once", async () => {
  const school = await newSchool();
  const { installation, instructor } = school;
  const step = fc.constantFrom("write", "write", "member", "disconnect", "read");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const written: string[] = [];
      const told: string[] = [];
      let stream: EventReader | undefined = await follow(installation, instructor);
      let revision = stream.revision;
      const take = ({ events }: EventReader) => {
        for (const { event, data } of events) {
          if (event === "reset" && events.length > 0) continue;
          told.push(`${data.kind} ${data.id}`);
        }
      };
      for (const one of steps) {
        stream ??= await follow(installation, instructor, revision);
        if (one === "write") written.push(`planning_room ${await addRoom(school)}`);
        else if (one === "member") {
          const id = (await school.join(["student"])).userId;
          written.push(`member ${id}`);
        } else if (one === "disconnect") {
          await stream.close();
          take(stream);
          revision = stream.revision;
          stream = undefined;
        } else await yieldToEventLoop();
      }
      stream ??= await follow(installation, instructor, revision);
      await stream.before("organization", await mark(school));
      await stream.close();
      take(stream);
      const own = told.filter((name) => /^(planning_room|member) /.test(name));
      expect(own.toSorted()).toEqual(written.toSorted());
    }),
    { numRuns: 12 },
  );
}, 120_000);

test("the stream is not stored, collected, changed on the way or compressed", async () => {
  const school = await newSchool();
  const response = await ask(school.installation, school.owner);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(response.headers.get("etag")).toBeNull();
  expect(response.headers.get("x-request-id")).toBeString();
  await response.body?.cancel();
});

test("HEAD opens no stream", async () => {
  const school = await newSchool();
  const response = await ask(school.installation, school.owner, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    200,
    "text/event-stream",
    "",
  ]);
});

const refusals: [string, (school: School) => Promise<Partial<Member> & { token: string; orgId: string }>, number][] = [
  ["without a token", async ({ orgId }) => ({ orgId, token: "" }), 401],
  ["of another school", async ({ owner }) => ({ token: owner.token, orgId: (await newSchool()).orgId }), 404],
  ["of no school", async ({ owner }) => ({ token: owner.token, orgId: "01890a5d-ac96-774b-bcce-b302099a8057" }), 404],
];
test.each(refusals)("a stream %s is refused", async (_, whose, status) => {
  const school = await newSchool();
  const response = await ask(school.installation, await whose(school));
  expect(response.status).toBe(status);
});
