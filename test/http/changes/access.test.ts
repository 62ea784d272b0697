/** The access of readers is asked for only when it may have changed: what is noticed nevertheless. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { type Instant, minutes, shift, toInstant } from "../../../src/core/clock.ts";
import type { OrgId, UserId } from "../../../src/core/ids.ts";
import { permissionsOf, type Role } from "../../../src/identity/roles.ts";
import { sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { ChangeStreams } from "../../../src/modules/changes/streams.ts";
import { changeKinds } from "../../../src/modules.ts";
import type { Control } from "../../../src/storage/store.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { expectStatus, type Member, newOwnSchool } from "../../support/school.ts";
import { EventReader, follow } from "./follow.ts";

const lost = { event: "end", data: { reason: "access_changed" } };

async function newScene() {
  // The heartbeat notices nothing.
  const school = await newOwnSchool({ heartbeat: 1_000_000 });
  const { installation, owner } = school;
  const { control } = installation.storage;
  return {
    ...school,
    ...installation.storage,
    clock: installation.clock,
    async addRoom(): Promise<string> {
      return expectStatus(201, await owner.post("/planning/rooms", { name: crypto.randomUUID() })).body.data.id;
    },
    /** Changes the sessions of an account without an audit row. */
    change: ({ userId }: Member, to: { idle_until: Instant } | { revoked_at: Instant }) =>
      control.write((tx) =>
        tx
          .update(sessions)
          .set(to)
          .where(eq(sessions.user_id, userId as UserId)),
      ),
  };
}

const roomsOf = ({ events }: EventReader) =>
  events.flatMap(({ data }) => (data.kind === "planning_room" ? data.id : []));

test("a session that ends by the time is noticed without a write, before its access token expires", async () => {
  const { installation, instructor, clock, addRoom, change } = await newScene();
  await change(instructor, { idle_until: shift(clock.now(), minutes(2)) });
  const stream = await follow(installation, instructor);
  const before = await addRoom();
  await stream.next();

  clock.advance(minutes(2));
  await addRoom();
  expect(await stream.ended()).toMatchObject(lost);
  expect(roomsOf(stream)).toEqual([before]);
});

test("a revocation that no audit row tells of is noticed before the next change is told", async () => {
  const { installation, instructor, clock, addRoom, change } = await newScene();
  const stream = await follow(installation, instructor);
  const before = await addRoom();
  await stream.next();

  await change(instructor, { revoked_at: toInstant(clock.now()) });
  await addRoom();
  expect(await stream.ended()).toMatchObject(lost);
  expect(roomsOf(stream)).toEqual([before]);
});

type Scene = Omit<Awaited<ReturnType<typeof newScene>>, "control"> & { control: Control };

/** Opens streams of one process, beside those of the installation. */
function opening({ clock, control, commits, tenants, ...scene }: Scene) {
  const orgId = scene.orgId as OrgId;
  const stopping = new AbortController();
  afterThisTest(async () => stopping.abort());
  const streams = new ChangeStreams({
    ...{ control, commits, tenants, clock, kinds: changeKinds, stopping: stopping.signal, heartbeat: 1_000_000 },
    log: { warn: () => undefined },
  });
  return async ({ userId, email }: Member, role: Role) => {
    const [session] = await control.read((reader) =>
      reader
        .select({ sessionId: sessions.id })
        .from(sessions)
        .where(eq(sessions.user_id, userId as UserId)),
    );
    if (session === undefined) throw new Error("There is a session.");
    const rights = { permissions: permissionsOf([role]), expiresAt: shift(clock.now(), minutes(15)) };
    const actor = { kind: "user", userId: userId as UserId, email, name: "", orgId, ...session, ...rights } as const;
    const context = { actor, requestId: "", clock, control, tenant: tenants.tenant(orgId) };
    const reader = new EventReader(await streams.open(context, undefined));
    await reader.next();
    return reader;
  };
}

test("a stream that was asked for with earlier roles is noticed, though nothing was written since", async () => {
  const scene = await newScene();
  const { owner, instructor } = scene;
  const open = opening(scene);
  const other = await open(owner, "owner");
  expectStatus(200, await owner.patch(`/members/${instructor.userId}`, { roles: ["student"] }));
  await other.before("member", instructor.userId);

  const stale = await open(instructor, "instructor");
  const { body } = expectStatus(201, await owner.post("/people", { name: "Ada", types: ["pilot"] }));
  await other.before("person", body.data.id);
  expect(await stale.ended()).toMatchObject(lost);
  expect(stale.events.filter(({ data }) => data.kind === "person")).toEqual([]);
});

test("a sign-out is noticed though the number of writes does not tell it, as within a second of another node's", async () => {
  const scene = await newScene();
  const { control, instructor, owner } = scene;
  const unmoved: Control = {
    read: (query) => control.read(query),
    write: (body) => control.write(body),
    changes: 0,
  };
  const open = opening({ ...scene, control: unmoved });
  const stream = await open(instructor, "instructor");
  const { body } = expectStatus(201, await owner.post("/people", { name: "Ada", types: ["pilot"] }));
  await stream.before("person", body.data.id);
  expectStatus(200, await instructor.call("DELETE", "/auth/sessions"));
  expect(await stream.ended()).toMatchObject(lost);
});
