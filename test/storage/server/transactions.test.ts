import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Engine } from "../../../src/storage/server/engine.ts";
import { migrateNamespace } from "../../../src/storage/server/migrate-namespace.ts";
import { times } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { insertNote, migrations, newDatabase, notes, Trips, textsOf } from "./databases.ts";
import { cableTo, newServer } from "./servers.ts";

afterEach(cleanUp);

test("a write without rows is one trip, with its BEGIN and its COMMIT", async () => {
  const { database, trips } = await newDatabase(await newServer());
  await database.write(async (tx) => {
    await tx.insert(notes).values({ text: "one" });
    await tx.each(insertNote, [{ text: "two" }, ["three"]]);
  });
  expect(trips.take().map((statements) => statements.map((text) => text.split(" ")[0]))).toEqual([
    ["BEGIN", "insert", "insert", "insert", "COMMIT"],
  ]);
  expect(await textsOf(database)).toEqual(["one", "two", "three"]);
});

test("a read in a transaction takes what was written before it along, and reads of one turn are one trip", async () => {
  const { database, trips } = await newDatabase(await newServer());
  const found = await database.write(async (tx) => {
    await tx.insert(notes).values({ text: "one" });
    const [count, all] = await Promise.all([tx.$count(notes), tx.select().from(notes)]);
    await tx.insert(notes).values({ text: "two" });
    return { count, all };
  });
  expect(found).toEqual({ count: 1, all: [{ id: 1, text: "one" }] });
  expect(trips.take().map(({ length }) => length)).toEqual([4, 2]);

  await database.read((reader) => Promise.all([reader.$count(notes), reader.select().from(notes)]));
  expect(trips.take().map(({ length }) => length)).toEqual([2]);
});

test("a body without statements makes no trip", async () => {
  const { database, trips } = await newDatabase(await newServer());
  expect(await database.write(async () => "nothing")).toBe("nothing");
  expect(trips.take()).toEqual([]);
});

test("a row that breaks a rule fails the write, though its error comes with a later statement", async () => {
  const { database } = await newDatabase(await newServer());
  await database.write((tx) => tx.insert(notes).values({ text: "one" }));
  for (const last of ["read", "commit"]) {
    const writing = database.write(async (tx) => {
      await tx.insert(notes).values({ text: "two" });
      await tx.insert(notes).values({ text: "one" });
      await tx.insert(notes).values({ text: "three" });
      if (last === "read") await tx.$count(notes);
    });
    expect(writing).rejects.toThrow("SQLITE_CONSTRAINT");
    await writing.catch(() => undefined);
  }
  expect(await textsOf(database)).toEqual(["one"]);
  // The stream is usable: nothing of the failed transactions is left in it.
  await database.write((tx) => tx.insert(notes).values({ text: "four" }));
  expect(await textsOf(database)).toEqual(["one", "four"]);
});

test("after the first error nothing more is sent", async () => {
  const { database, trips } = await newDatabase(await newServer());
  const writing = database.write(async (tx) => {
    await tx.run(sql`select * from nowhere`).catch(() => undefined);
    await tx.insert(notes).values({ text: "one" });
  });
  await expect(writing).rejects.toMatchObject({ code: "TENANT_UNAVAILABLE" });
  await textsOf(database);
  expect(
    trips
      .take()
      .flat()
      .filter((text) => /insert|COMMIT/.test(text)),
  ).toEqual([]);
});

test("a body that throws is rolled back", async () => {
  const { database } = await newDatabase(await newServer());
  const writing = database.write(async (tx) => {
    await tx.insert(notes).values({ text: "one" });
    await tx.$count(notes);
    throw new Error("refused");
  });
  await expect(writing).rejects.toThrow("refused");
  expect(await textsOf(database)).toEqual([]);
});

test("hundreds of rows and rows of megabytes arrive whole, in several batches", async () => {
  const { database, trips } = await newDatabase(await newServer());
  const large = "x".repeat(1_500_000);
  const changed = await database.write(async (tx) => {
    await tx.each(
      insertNote,
      times(450, (at) => ({ text: `note ${at}` })),
    );
    await tx.each(insertNote, [{ text: `${large}1` }, { text: `${large}2` }]);
    return tx.countEach(sql`update notes set text = text || '!' where id <= ${sql.placeholder("id")}`, [[2], [450]]);
  });
  expect(changed).toEqual([2, 450]);
  expect(Math.max(...trips.take().map(({ length }) => length))).toBeLessThanOrEqual(202);
  const texts = await textsOf(database);
  expect([texts.length, texts[0], texts[449], texts[451]?.length]).toEqual([452, "note 0!!", "note 449!", 1_500_001]);
});

test("values come back as those of a file do", async () => {
  const { database } = await newDatabase(await newServer());
  const values = [null, "ä\u0000b", 1.5, 3, 2n ** 53n, true, Buffer.from([0, 255])];
  const row = await database.read((reader) =>
    reader.first(
      sql`select ${sql.join(
        values.map((_, at) => sql.placeholder(String(at))),
        sql.raw(", "),
      )}, ${sql.placeholder("3")} / 2`,
      Object.fromEntries(values.map((value, at) => [String(at), value])),
    ),
  );
  expect(row).toEqual([null, "ä\u0000b", 1.5, 3, 2 ** 53, 1, Buffer.from([0, 255]), 1.5]);
  const unstorable = database.read((reader) => reader.first(sql`select ${sql.placeholder("n")}`, { n: Number.NaN }));
  await expect(unstorable).rejects.toThrow("can't be stored");
});

test("the largest value that the server returns is stored, and a larger one is refused", async () => {
  const { database } = await newDatabase(await newServer());
  const write = (text: string) => database.write((tx) => tx.insert(notes).values({ text }));
  // Each has two bytes.
  await write("ä".repeat(2 ** 21));
  expect((await textsOf(database)).map(({ length }) => length)).toEqual([2 ** 21]);
  await expect(write(`${"ä".repeat(2 ** 21)}.`)).rejects.toThrow("VALUE_TOO_LARGE: a value has 4194305 bytes");
  await expect(database.write((tx) => tx.each(insertNote, [[Buffer.alloc(2 ** 22 + 1)]]))).rejects.toThrow("4194305");
  expect(await textsOf(database)).toHaveLength(1);
});

test("a write whose transaction the server has ended is repeated, and none of its statements runs alone", async () => {
  const sqld = await newServer();
  const { database } = await newDatabase(sqld);
  await sqld.configure("notes", { txn_timeout_s: 1 });
  const other = await newDatabase(sqld);
  const begun = Promise.withResolvers<void>();
  // Waits for the time-out of the first transaction, in the server.
  const between = begun.promise.then(() => other.database.write((tx) => tx.insert(notes).values({ text: "between" })));
  let tries = 0;
  await database.write(async (tx) => {
    tries += 1;
    await tx.insert(notes).values({ text: `try ${tries}` });
    await tx.$count(notes);
    begun.resolve();
    await between;
    await tx.insert(notes).values({ text: `end ${tries}` });
  });
  // On a busy machine the server may end the next transaction, too.
  expect(tries).toBeGreaterThan(1);
  expect(await textsOf(database)).toEqual(["between", `try ${tries}`, `end ${tries}`]);
});

test("a write whose answer to COMMIT is lost is 503, is not repeated, and is there once", async () => {
  const sqld = await newServer();
  const { cable, settings } = await cableTo(sqld);
  const { database } = await newDatabase({ ...sqld, settings: () => settings });
  const lost = cable.answered(
    (request) => request.includes("COMMIT"),
    async () => cable.cut(),
  );
  let tries = 0;
  const writing = database.write(async (tx) => {
    tries += 1;
    await tx.insert(notes).values({ text: `try ${tries}` });
  });
  await expect(writing).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfter: 1 });
  await lost;
  expect(await textsOf(database)).toEqual(["try 1"]);
  await database.write((tx) => tx.insert(notes).values({ text: "next" }));
  expect(await textsOf(database)).toEqual(["try 1", "next"]);
});

test("a migration that loses its connection is repeated, and one that was committed is not", async () => {
  for (const isCommitted of [false, true]) {
    const sqld = await newServer();
    const { cable, settings } = await cableTo(sqld);
    const trips = new Trips();
    const engine = new Engine({ ...settings, traffic: trips });
    await engine.create("notes");
    const session = engine.session("notes");
    let tries = 0;
    trips.onBegun = (statements) => {
      if (!statements.includes("COMMIT")) return;
      tries += 1;
      if (tries === 1 && !isCommitted) cable.cut();
    };
    const cut = async () => cable.cut();
    if (isCommitted) void cable.answered((request) => request.includes("COMMIT"), cut);
    await migrateNamespace(session, migrations);
    expect(tries).toBe(isCommitted ? 1 : 2);
    session.close();
  }
});

test("a write that loses its connection before COMMIT is repeated; after it, it is not, and the answer is 503", async () => {
  const sqld = await newServer();
  const { database, trips } = await newDatabase(sqld);
  let tries = 0;
  await database.write(async (tx) => {
    tries += 1;
    await tx.insert(notes).values({ text: `try ${tries}` });
    await tx.$count(notes);
    if (tries > 1) return;
    await sqld.kill();
    await sqld.start();
    await tx.$count(notes);
  });
  expect([tries, await textsOf(database)]).toEqual([2, ["try 2"]]);

  trips.onBegun = (statements) => {
    if (statements.includes("COMMIT")) void sqld.kill();
  };
  tries = 0;
  const writing = database.write(async (tx) => {
    tries += 1;
    await tx.insert(notes).values({ text: "unknown" });
  });
  await expect(writing).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfter: 1 });
  expect(tries).toBe(1);
  trips.onBegun = () => undefined;
  await sqld.start();
  expect((await textsOf(database)).filter((text) => text === "unknown").length).toBeLessThanOrEqual(1);
});
