import { afterEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { createLog } from "../../src/http/request-log.ts";
import { fromSqlite, SqliteFailure } from "../../src/storage/sqlite-error.ts";
import type { Tx } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { TestClock } from "../support/clock.ts";
import { stretched } from "../support/limits.ts";
import { newNotes, notes, textsOf } from "./rows.ts";
import { newStorage, newTenant } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

test("writes run one after the other, and each sees the rows of the previous one", async () => {
  const file = await newNotes();
  const steps: string[] = [];
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      file.write(async (tx) => {
        steps.push(`${index} in`);
        const [row] = await tx.select({ count: sql<number>`count(*)` }).from(notes);
        await new Promise((resolve) => setImmediate(resolve));
        await tx.insert(notes).values({ text: `after ${row?.count}` });
        steps.push(`${index} out`);
      }),
    ),
  );
  expect(steps).toEqual(Array.from({ length: 8 }, (_, index) => [`${index} in`, `${index} out`]).flat());
  expect(await file.read(textsOf)).toEqual(Array.from({ length: 8 }, (_, index) => `after ${index}`));
});

test("a write to a closed file throws, and does not end the process", async () => {
  const file = await newNotes();
  await file.close();
  await expect(file.write((tx) => tx.insert(notes).values({ text: "late" }))).rejects.toThrow("closed");
});

test("a write does not wait for writes of other files", async () => {
  const [one, two] = [await newNotes(), await newNotes()];
  const held = Promise.withResolvers<void>();
  const waiting = one.write(async () => held.promise);
  await two.write((tx) => tx.insert(notes).values({ text: "done" }));
  held.resolve();
  await waiting;
  expect(await two.read(textsOf)).toEqual(["done"]);
});

test.each(["tenant in tenant", "another tenant in a tenant", "tenant in control", "control in tenant"])(
  "a write inside a write throws at once, and the outer one is rolled back: %s",
  async (name) => {
    const storage = await newStorage();
    const [one, two] = [await newTenant(storage, "One"), await newTenant(storage, "Two")];
    const tenant = storage.tenants.tenant(one);
    const nothing = async () => undefined;
    const nested: Record<string, () => Promise<unknown>> = {
      "tenant in tenant": () =>
        tenant.write(async (tx) => {
          await tx.update(meta).set({ name: "Changed" });
          await tenant.write(nothing);
        }),
      "another tenant in a tenant": () =>
        tenant.write(async (tx) => {
          await tx.update(meta).set({ name: "Changed" });
          await storage.tenants.tenant(two).write(nothing);
        }),
      "tenant in control": () => storage.control.write(() => tenant.write(nothing)),
      "control in tenant": () =>
        tenant.write(async (tx) => {
          await tx.update(meta).set({ name: "Changed" });
          await storage.control.write(nothing);
        }),
    };
    await expect(nested[name]?.() ?? Promise.resolve()).rejects.toThrow("A write inside a write");
    expect(await tenant.read((reader) => reader.select({ name: meta.name }).from(meta))).toEqual([{ name: "One" }]);
    // Later writes work.
    await tenant.write((tx) => tx.update(meta).set({ name: "Later" }));
    await storage.control.write(nothing);
  },
);

test("a write inside a write is rejected, also when the body does not await it", async () => {
  const file = await newNotes();
  let inner: Promise<unknown> = Promise.resolve();
  await file.write(async (tx) => {
    inner = file
      .write((nested) => nested.insert(notes).values({ text: "inner" }))
      .catch((error: Error) => error.message);
    await tx.insert(notes).values({ text: "outer" });
  });
  expect(await inner).toContain("A write inside a write");
  expect(await file.read(textsOf)).toEqual(["outer"]);
});

test("a body that throws leaves no rows, and the next write works", async () => {
  const file = await newNotes();
  const failing = file.write(async (tx) => {
    await tx.insert(notes).values({ text: "gone" });
    throw new RangeError("no");
  });
  await expect(failing).rejects.toThrow(new RangeError("no"));
  const sqlFailing = file.write(async (tx) => {
    await tx.insert(notes).values({ text: "gone too" });
    await tx.insert(notes).values({ text: "gone too" });
  });
  await expect(sqlFailing).rejects.toThrow("UNIQUE");
  await file.write((tx) => tx.insert(notes).values({ text: "stays" }));
  expect(await file.read(textsOf)).toEqual(["stays"]);
});

test("statements of a body that are not awaited are rejected after the write has ended", async () => {
  const file = await newNotes();
  const later = Promise.withResolvers<void>();
  const strays: Promise<unknown>[] = [];
  await file.write(async (tx) => {
    await tx.insert(notes).values({ text: "in time" });
    const inserted = later.promise.then(() => tx.insert(notes).values({ text: "too late" }));
    const each = later.promise.then(() =>
      tx.each(sql`insert into ${notes} (text) values (${sql.placeholder("text")})`, [{ text: "too late as well" }]),
    );
    strays.push(inserted, each);
  });
  const next = file.write(async (tx) => {
    later.resolve();
    expect((await Promise.allSettled(strays)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await tx.insert(notes).values({ text: "next" });
  });
  await next;
  expect(await file.read(textsOf)).toEqual(["in time", "next"]);
});

test("statements of a failed write do not run in the next one", async () => {
  const file = await newNotes();
  let late: Tx | undefined;
  const failing = file.write(async (tx) => {
    late = tx;
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  await file.write(async () => {
    const each = late?.each(sql`insert into ${notes} (text) values (${sql.placeholder("text")})`, [{ text: "late" }]);
    await expect(each).rejects.toThrow("The transaction has ended.");
  });
  expect(await file.read(textsOf)).toEqual([]);
});

test("statements after an error that ended the transaction are not committed", async () => {
  const file = await newNotes();
  const insert = sql`insert into ${notes} (text) values (${sql.placeholder("text")})`;
  for (const after of [
    (tx: Tx) => tx.insert(notes).values({ text: "after" }),
    (tx: Tx) => tx.each(insert, [{ text: "after" }]),
  ]) {
    const full = file.write(async (tx) => {
      await tx.run(sql`pragma max_page_count = 1`);
      await Promise.allSettled([tx.insert(notes).values({ text: "x".repeat(100_000) })]);
      await after(tx);
    });
    await expect(full).rejects.toThrow();
  }
  expect(await file.read(textsOf)).toEqual([]);
});

test("each runs a statement for every row, in order, and returns the changed rows of each run", async () => {
  const file = await newNotes();
  const { placeholder } = sql;
  const changed = await file.write(async (tx) => {
    const inserted = await tx.countEach(
      sql`insert into ${notes} (id, text) values (${placeholder("id")}, ${"plane "} || ${placeholder("name")})`,
      [
        { id: 2, name: "two" },
        { id: 1, name: "one" },
      ],
    );
    const updated = await tx.countEach(sql`update ${notes} set text = 'new' where id = ${placeholder("id")}`, [
      { id: 1 },
      { id: 3 },
    ]);
    return [inserted, updated];
  });
  expect(changed).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(await file.read(textsOf)).toEqual(["new", "plane two"]);
});

test("a row that can't be written rolls back the whole write, with the earlier rows of each", async () => {
  const file = await newNotes();
  const twice = file.write((tx) =>
    tx.each(sql`insert into ${notes} (text) values (${sql.placeholder("text")})`, [{ text: "same" }, { text: "same" }]),
  );
  await expect(twice).rejects.toThrow("SQLITE_CONSTRAINT_UNIQUE");
  expect(await file.read(textsOf)).toEqual([]);
  await file.write((tx) => tx.insert(notes).values({ text: "next" }));
});

test("booleans are stored as 0 and 1; values that SQLite does not have are rejected and not stored as NULL", async () => {
  const file = await newNotes();
  const typeOf = (value: unknown) => sql`select typeof(${value}), ${value}`;
  const asked = async (value: unknown) => {
    const read = await file.read((reader) => reader.values<[string, unknown]>(typeOf(value)));
    const written = await file.write((tx) => tx.values<[string, unknown]>(typeOf(value)));
    expect(read).toEqual(written);
    return read[0]?.[1];
  };
  expect([await asked(true), await asked(false), await asked(null)]).toEqual([1, 0, null]);
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date()])
    await expect(asked(value)).rejects.toThrow();
});

test("a write returns the result of its body, and all its rows have the time of its start", async () => {
  const clock = new TestClock();
  const file = await newNotes({ clock });
  const moments = await file.write(async (tx) => {
    const before = tx.now;
    clock.advance(1000);
    return [before, tx.now];
  });
  expect(moments.map(String)).toEqual(["2026-06-14T09:00:00.000Z", "2026-06-14T09:00:00.000Z"]);
});

test("afterCommit runs after the commit, in order, and sees the rows", async () => {
  const file = await newNotes();
  const seen: string[] = [];
  const read: Promise<string[]>[] = [];
  await file.write(async (tx) => {
    tx.afterCommit(() => {
      seen.push("first");
      read.push(file.read(textsOf));
    });
    tx.afterCommit(() => void seen.push("second"));
    await tx.insert(notes).values({ text: "committed" });
    seen.push("end of body");
  });
  expect(seen).toEqual(["end of body", "first", "second"]);
  expect(await Promise.all(read)).toEqual([["committed"]]);
});

test("afterCommit may start a write", async () => {
  const file = await newNotes();
  let second: Promise<unknown> = Promise.resolve();
  await file.write(async (tx) => {
    tx.afterCommit(() => {
      second = file.write((next) => next.insert(notes).values({ text: "second" }));
    });
    await tx.insert(notes).values({ text: "first" });
  });
  await second;
  expect(await file.read(textsOf)).toEqual(["first", "second"]);
});

test("afterCommit does not run after a rollback or a failed commit", async () => {
  const file = await newNotes({
    trace: (step) => {
      if (step === "tenant: before commit" && refuse) throw new Error("the disk is gone");
    },
  });
  let refuse = false;
  let ran = 0;
  const effect = () => {
    ran += 1;
  };
  const rolledBack = file.write(async (tx) => {
    tx.afterCommit(effect);
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  refuse = true;
  await expect(file.write(async (tx) => tx.afterCommit(effect))).rejects.toThrow("the disk is gone");
  expect(ran).toBe(0);
});

test("an effect that throws is reported; the write and the other effects are not affected", async () => {
  const reported: unknown[] = [];
  const file = await newNotes({ onEffectError: (error) => void reported.push(error) });
  const error = new Error("nobody listens");
  let others = 0;
  const answer = await file.write(async (tx) => {
    await tx.insert(notes).values({ text: "stands" });
    tx.afterCommit(() => {
      throw error;
    });
    tx.afterCommit(() => {
      others += 1;
    });
    return "answer";
  });
  expect([answer, others, reported]).toEqual(["answer", 1, [error]]);
  expect(await file.read(textsOf)).toEqual(["stands"]);
});

test("an effect that throws is logged", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  const err = new Error("nobody listens");
  await storage.tenants.tenant(id).write(async (tx) =>
    tx.afterCommit(() => {
      throw err;
    }),
  );
  expect(storage.logged).toEqual([
    { level: "error", details: { err }, message: "An effect of a committed write failed." },
  ]);
});

test("a read during a transaction sees committed rows only", async () => {
  const file = await newNotes();
  await file.write((tx) => tx.insert(notes).values({ text: "committed" }));
  let beside: string[] = [];
  await file.write(async (tx) => {
    await tx.insert(notes).values({ text: "not yet" });
    await tx.delete(notes).where(eq(notes.text, "committed"));
    beside = await file.read(textsOf);
    expect(await textsOf(tx)).toEqual(["not yet"]);
  });
  expect(beside).toEqual(["committed"]);
  expect(await file.read(textsOf)).toEqual(["not yet"]);
});

const secret = "olga@example.com's secret";

test.each(["write", "read"] as const)(
  "an SQL error of a %s says what failed, and carries no parameter's value anywhere",
  async (kind) => {
    const file = await newNotes();
    await file.write((tx) => tx.insert(notes).values({ text: secret }));
    const failing =
      kind === "write"
        ? file.write((tx) => tx.insert(notes).values({ text: secret }))
        : file.read((reader) => reader.select().from(notes).where(sql`${notes.text} like 'a' escape ${secret}`));
    const error: unknown = await failing.catch((thrown: unknown) => thrown);

    if (!(error instanceof SqliteFailure)) throw new Error("It is no SqliteFailure.");
    expect(error.message).toMatch(
      kind === "write" ? /^SQLITE_CONSTRAINT.*UNIQUE.*notes\.text/ : /^SQLITE_ERROR.*ESCAPE/,
    );
    expect(error.cause).toBeUndefined();
    const lines: string[] = [];
    createLog("info", { write: (line) => void lines.push(line) }).error({ err: error }, "failed");
    const everything = [
      lines.join(),
      error.message,
      error.stack,
      Bun.inspect(error),
      JSON.stringify({ ...error }),
    ].join();
    expect(lines.join()).toContain("SQLITE_");
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain("olga@");
  },
);

test("an error that is not from SQLite is thrown unchanged", async () => {
  const file = await newNotes();
  const error = new TypeError("mine");
  const rethrown = await file.read(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
  expect(rethrown).toBe(error);
});

test("a locked file is unavailable at once, without a wait that blocks the process", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  const tenant = storage.tenants.tenant(id);
  const { default: Database } = await import("libsql");
  const foreign = new Database(`${storage.directory}/${id}.db`);
  foreign.exec("BEGIN IMMEDIATE");
  const began = performance.now();
  await expect(tenant.write((tx) => tx.update(meta).set({ name: "Busy" }))).rejects.toMatchObject({
    code: "TENANT_UNAVAILABLE",
  });
  expect(performance.now() - began).toBeLessThan(stretched(500));
  foreign.exec("ROLLBACK");
  foreign.close();
  await tenant.write((tx) => tx.update(meta).set({ name: "Free" }));
});

test("an error of the control database's file is 503, but not the fault of a tenant", () => {
  const failure = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
  expect(fromSqlite(failure, "tenant", "x.db")).toMatchObject({ name: "Problem", code: "TENANT_UNAVAILABLE" });
  expect(fromSqlite(failure, "control", "x.db")).toMatchObject({
    code: "UNAVAILABLE",
    cause: { name: "SqliteFailure", code: "SQLITE_IOERR" },
  });
});
