/** What the operator reads in place of the system's codes. Those that root can't provoke are made here. */
import { expect, test } from "bun:test";
import { messageOf, readGiven, systemMessage } from "../../src/core/system-error.ts";
import { safeMessage } from "../../src/scheduler/safe-message.ts";
import { NoSpace } from "../../src/storage/disk-space.ts";
import { SqliteFailure } from "../../src/storage/sqlite-error.ts";

const failed = (code: string, more: object = { path: "/srv/x" }) =>
  Object.assign(new Error(`${code}: raw, open`), { code, ...more });

test.each([
  ["ENOENT", "There is no /srv/x."],
  ["EISDIR", "/srv/x is a directory"],
  ["ENOTDIR", "a part of this path is a file"],
  ["EACCES", `(uid ${process.getuid?.()}) may not use /srv/x.`],
  ["EPERM", "with sudo -u, or change its owner or its mode"],
  ["EROFS", "ReadWritePaths="],
  ["EEXIST", "/srv/x is there already."],
  ["ENOSPC", "The disk of /srv/x is full."],
  ["EDQUOT", "The disk of /srv/x is full."],
  ["EIO", "The disk of /srv/x can't be read or written."],
  ["EMFILE", "ulimit -n"],
])("%s is a sentence with the path and what to do", (code, part) => {
  const message = messageOf(failed(code));
  expect(message).toContain(part);
  expect(message).not.toContain("raw");
  expect(messageOf(failed(code, {}), "/srv/x")).toBe(message); // the error of a read has no path
  expect(safeMessage(failed(code))).toBe(message); // as in the history of jobs
});

test("a copy fails at the file that is not there, or at the place where it can't be written", () => {
  const copy = { path: import.meta.path, dest: "/srv/x" };
  expect(systemMessage(failed("EACCES", copy))).toContain("may not use /srv/x.");
  expect(systemMessage(failed("ENOENT", { path: "/missing", dest: "/srv/x" }))).toBe(
    "There is no /missing. Check the path.",
  );
});

test("other errors keep their words, and a file that can't be read keeps the code for the program", async () => {
  expect(messageOf(failed("EWHATEVER"))).toBe("EWHATEVER: raw, open");
  expect(messageOf(failed("ENOENT", {}))).toBe("ENOENT: raw, open"); // of which file is not known
  expect([messageOf("thrown"), messageOf(new Error("Said."))]).toEqual(["thrown", "Said."]);
  expect(messageOf(new SqliteFailure("SQLITE_FULL", "database or disk is full"))).toBe(
    "The disk is full. Free some space.",
  );
  const damaged = new SqliteFailure("SQLITE_CORRUPT", "database disk image is malformed");
  for (const said of [messageOf(damaged), safeMessage(damaged)])
    expect(said).toBe("database disk image is malformed (SQLITE_CORRUPT)");
  const noSpace = new NoSpace("/", { bytes: 0, outcome: "Nothing was changed." });
  expect(messageOf(noSpace, "/srv/x")).toBe(noSpace.message);
  expect(await readGiven("/missing").catch((error) => [error.code, error.message])).toEqual([
    "ENOENT",
    "There is no /missing. Check the path.",
  ]);
});
