/** Streams whose readers see the same share one piece, and no stream gets what its reader does not see. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import { newId, type UserId } from "../../../src/core/ids.ts";
import type { Permission } from "../../../src/core/permissions.ts";
import { permissionsOf } from "../../../src/identity/roles.ts";
import { piecesOf, type Told } from "../../../src/modules/changes/pieces.ts";
import { TestClock } from "../../support/clock.ts";
import { times } from "../../support/school.ts";

const clock = new TestClock();
const newUser = (): UserId => newId<"user">(clock);

const streamOf = (permissions: ReadonlySet<Permission>, userId = newUser()) => ({
  reader: {
    userId,
    permissions,
    sessionId: newId<"session">(clock),
    email: `${userId}@example.com`,
    expiresAt: toInstant(clock.now()),
  },
});

const owners = permissionsOf(["owner"]);
const students = permissionsOf(["student"]);

/** A flight that owners see, and of the others only these. */
const flight = (id: string, ...of: readonly UserId[]): Told => ({
  kind: "flight",
  id,
  revision: `${id}.-0.`,
  seenBy: (permissions) => (permissions === owners ? "all" : ({ userId }) => of.includes(userId)),
});

const idsIn = (bytes: Uint8Array | undefined): string[] =>
  [...new TextDecoder().decode(bytes).matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);

test("each stream gets what its reader sees, in the order of the changes, and its position after it", () => {
  const [ada, ben] = [streamOf(students), streamOf(students)];
  const [owner, other] = [streamOf(owners), streamOf(students)];
  const changes = [flight("1", ada.reader.userId), flight("2", ben.reader.userId), flight("3", ada.reader.userId)];
  const pieces = piecesOf(changes, [ada, ben, owner, other]);
  expect([ada, ben, owner].map((stream) => idsIn(pieces.get(stream)?.bytes))).toEqual([
    ["1", "3"],
    ["2"],
    ["1", "2", "3"],
  ]);
  expect([ada, ben, owner].map((stream) => pieces.get(stream)?.revision)).toEqual(["3.-0.", "2.-0.", "3.-0."]);
  expect(pieces.has(other)).toBe(false);
});

test("a change is encoded once for all who see the same", () => {
  const streams = times(100, () => streamOf(owners));
  const pieces = piecesOf([flight("1"), flight("2")], streams);
  expect(new Set(streams.map((stream) => pieces.get(stream)?.bytes)).size).toBe(1);
});

test("nobody is asked about what all with their permissions see", () => {
  let asked = 0;
  const change: Told = {
    ...flight("1"),
    seenBy(permissions) {
      asked += 1;
      return flight("1").seenBy(permissions);
    },
  };
  piecesOf([change], [...times(100, () => streamOf(owners)), ...times(100, () => streamOf(students))]);
  expect(asked).toBe(2);
});

test("whoever sees what, and however many streams they have, none gets another one's change", () => {
  const people = times(4, newUser);
  const seen = fc.array(fc.subarray(people), { maxLength: 6 });
  const opened = fc.array(fc.record({ userId: fc.constantFrom(...people), isOwner: fc.boolean() }), { maxLength: 12 });
  fc.assert(
    fc.property(seen, opened, (audiences, readers) => {
      const changes = audiences.map((of, at) => flight(String(at), ...of));
      const streams = readers.map(({ userId, isOwner }) => streamOf(isOwner ? owners : students, userId));
      const pieces = piecesOf(changes, streams);
      for (const stream of streams) {
        const { permissions, userId } = stream.reader;
        const own = audiences.flatMap((of, at) => (permissions === owners || of.includes(userId) ? [String(at)] : []));
        expect(idsIn(pieces.get(stream)?.bytes)).toEqual(own);
      }
    }),
  );
});
