/** Faults of the control database while the server runs, and of the disk. */
import { afterEach, expect, test } from "bun:test";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { controlUnavailable, isDiskFull, SqliteFailure } from "../../src/storage/sqlite-error.ts";
import { newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, password } from "../support/school.ts";
import { newNotes, notes } from "./rows.ts";
import { onFile } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

test("a control.db that is damaged while it is open gives 503 to requests and to /health/ready", async () => {
  const directory = await newDirectory();
  const before = await newInstallation({ directory });
  const { owner } = await newSchool(before);
  await before.close();
  // Overwrites the first page of a table, which the start does not read.
  const path = join(directory, "control.db");
  const [[[page]], [[size]]] = (await onFile(
    path,
    "select rootpage from sqlite_master where name = 'users'",
    "PRAGMA page_size",
  )) as [[[number]], [[number]]];
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await file.close();

  // The document declares 503 only for routes of organizations.
  const at = await newInstallation({ directory, clock: before.clock, checked: false });
  expectStatus(200, await at.call("GET", "/health/ready"));
  const logIn = await at.call("POST", "/auth/login", { body: { email: owner.email, password } });
  const ready = await at.call("GET", "/health/ready");
  for (const { status, body } of [logIn, ready]) expect([status, body.error?.code]).toEqual([503, "UNAVAILABLE"]);
});

test("a write of the control database that finds no space is 503, and damages nothing", async () => {
  const file = await newNotes({ kind: "control" });
  const full = file.write(async (tx) => {
    await tx.run(sql`pragma max_page_count = 1`);
    await tx.insert(notes).values({ text: "x".repeat(100_000) });
  });
  await expect(full).rejects.toMatchObject({ code: "UNAVAILABLE", cause: { code: "SQLITE_FULL" } });
  expect(file.isDamaged).toBe(false);
});

test("a full disk is known by SQLite's code and by the system's", () => {
  const full = new SqliteFailure("SQLITE_FULL", "database or disk is full");
  expect([full, controlUnavailable(full), Object.assign(new Error(), { code: "ENOSPC" })].map(isDiskFull)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isDiskFull(new SqliteFailure("SQLITE_NOTADB", "file is not a database"))).toBe(false);
});
