/** A stream ends with the access of its reader, and with the server. */
import { expect, test } from "bun:test";
import { minutes, toInstant } from "../../../src/core/clock.ts";
import { newId } from "../../../src/core/ids.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { ChangeStream } from "../../../src/modules/changes/stream.ts";
import { TestClock } from "../../support/clock.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { ask, follow } from "./follow.ts";

interface Scene {
  installation: Installation;
  school: School<Installation>;
  member: Member;
}

/** What ends the stream of an instructor. */
const ways: Record<string, (scene: Scene) => Promise<unknown>> = {
  "a log-out": async ({ installation, member }) => {
    const body = { refresh_token: member.refreshToken };
    expectStatus(200, await installation.call("POST", "/auth/logout", { token: member.token, body }));
  },
  "the end of all sessions": async ({ member }) => expectStatus(200, await member.call("DELETE", "/auth/sessions")),
  "the removal of the member": async ({ school, member }) =>
    expectStatus(200, await school.owner.delete(`/members/${member.userId}`)),
  "other roles": async ({ school, member }) =>
    expectStatus(200, await school.owner.patch(`/members/${member.userId}`, { roles: ["student"] })),
  "the end of the account": ({ installation, member }) =>
    disableAccount(
      {
        actor: { kind: "command_line" },
        requestId: "",
        clock: installation.clock,
        control: installation.storage.control,
      },
      { email: member.email },
    ),
};

test.each(Object.keys(ways))("%s ends the stream, and what is written later is not told", async (name) => {
  const school = await newOwnSchool();
  const { installation } = school;
  const scene = { installation, school, member: school.instructor };
  const stream = await follow(installation, school.instructor);
  const other = await follow(installation, school.owner);

  await ways[name]?.(scene);
  await school.owner.post("/people", { name: "Ada", types: ["pilot"] });

  expect(await stream.ended()).toEqual({ id: undefined, event: "end", data: { reason: "access_changed" } });
  expect(stream.events.filter(({ data }) => data.kind === "person")).toEqual([]);
  await other.until(() => other.events.some(({ data }) => data.kind === "person"));
  expect(other.isEnded).toBe(false);
});

test("who gets other roles learns what they missed with a new stream, and that they are another member", async () => {
  const school = await newSchool();
  const { installation, instructor, owner } = school;
  const stream = await follow(installation, instructor);
  expectStatus(200, await owner.patch(`/members/${instructor.userId}`, { roles: ["student"] }));
  await stream.ended();
  const again = await follow(installation, instructor, stream.revision);
  expect(await again.next()).toMatchObject({ data: { kind: "member", id: instructor.userId } });
});

test("a stream ends when its access token expires, and goes on with another", async () => {
  const school = await newOwnSchool({ heartbeat: 5 });
  const { installation } = school;
  const stream = await follow(installation, school.instructor);
  installation.clock.advance(minutes(15));
  expect(await stream.ended()).toMatchObject({ event: "end", data: { reason: "token_expired" } });
  expect((await ask(installation, school.instructor)).status).toBe(401);
  const later = {
    ...school,
    owner: await school.owner.signedInAgain(),
    instructor: await school.instructor.signedInAgain(),
  };
  const { body } = expectStatus(201, await later.owner.post("/planning/rooms", { name: "Room" }));
  const again = await follow(installation, later.instructor, stream.revision);
  expect(await again.next()).toMatchObject({ data: { kind: "planning_room", id: body.data.id } });
});

test("with a token that has expired nothing is told any more, before the next heartbeat", async () => {
  const school = await newOwnSchool({ heartbeat: 1_000_000 });
  const { installation } = school;
  const stream = await follow(installation, school.instructor);
  installation.clock.advance(minutes(15));
  const owner = await school.owner.signedInAgain();
  expectStatus(201, await owner.post("/planning/rooms", { name: "Room" }));
  expect(await stream.ended()).toMatchObject({ event: "end", data: { reason: "token_expired" } });
});

test("the stop of the server ends all streams at once", async () => {
  const stopping = new AbortController();
  const school = await newOwnSchool({ stopping: stopping.signal });
  const { installation } = school;
  const streams = [await follow(installation, school.owner), await follow(installation, school.student)];
  stopping.abort();
  for (const stream of streams)
    expect(await stream.ended()).toMatchObject({ event: "end", data: { reason: "unavailable" } });
});

test("an account has ten streams: the eleventh ends the oldest", async () => {
  const school = await newSchool();
  const streams = [];
  for (let count = 0; count < 11; count += 1) streams.push(await follow(school.installation, school.instructor));
  const other = await follow(school.installation, school.owner);
  const [oldest, second] = streams;
  expect(await oldest?.ended()).toMatchObject({ event: "end", data: { reason: "too_many_streams" } });
  expect([second?.isEnded, other.isEnded]).toEqual([false, false]);
});

test("a stream that is closed leaves its place to another of its account", async () => {
  const school = await newOwnSchool();
  const open = () => follow(school.installation, school.instructor);
  const streams = [];
  for (let count = 0; count < 10; count += 1) streams.push(await open());
  await streams.pop()?.close();
  await open();
  const [oldest, second] = streams;
  expect(oldest?.isEnded).toBeFalse();
  await open();
  expect(await oldest?.ended()).toMatchObject({ event: "end", data: { reason: "too_many_streams" } });
  expect(second?.isEnded).toBeFalse();
});

test("an account opens 120 streams a minute", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  for (let count = 0; count < 120; count += 1) await (await ask(installation, school.student)).body?.cancel();
  const refused = await ask(installation, school.student);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  installation.clock.advance(1000);
  const { status, body } = await ask(installation, school.student);
  expect(status).toBe(200);
  await body?.cancel();
});

function newStream(onEnd: () => void = () => undefined): ChangeStream {
  const clock = new TestClock();
  const access = { permissions: new Set<never>(), email: "", expiresAt: toInstant(clock.now()) };
  return new ChangeStream({ userId: newId<"user">(clock), sessionId: newId<"session">(clock), ...access }, onEnd);
}

test("a client that does not read is dropped when 128 KiB wait for it", async () => {
  let ended = 0;
  const stream = newStream(() => {
    ended += 1;
  });
  const piece = new Uint8Array(1024);
  for (let count = 0; count < 127; count += 1) stream.send(piece);
  expect([stream.isOpen, ended]).toEqual([true, 0]);
  stream.send(piece);
  stream.send(piece);
  expect([stream.isOpen, ended]).toEqual([false, 1]);
  await expect(stream.body.getReader().read()).rejects.toThrow("The client does not read.");
});

test("a client that reads is not dropped", async () => {
  const stream = newStream();
  const taken = stream.body.getReader();
  for (let count = 0; count < 1000; count += 1) {
    stream.send(new Uint8Array(1024));
    await taken.read();
  }
  expect(stream.isOpen).toBe(true);
});
