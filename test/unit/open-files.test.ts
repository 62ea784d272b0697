import { expect, test } from "bun:test";
import fc from "fast-check";
import { countdown } from "../../src/core/async.ts";
import { OpenFiles } from "../../src/storage/open-files.ts";

/** A fake disk that throws when a file is opened twice or used after it was closed. */
class Disk {
  readonly open = new Set<string>();
  readonly events: string[] = [];
  most = 0;

  files(limit: number): OpenFiles<FakeFile> {
    return new OpenFiles(limit, async (name) => {
      await Promise.resolve();
      if (this.open.has(name)) throw new Error(`${name} is open already`);
      this.open.add(name);
      this.most = Math.max(this.most, this.open.size);
      this.events.push(`open ${name}`);
      return new FakeFile(name, this);
    });
  }
}

class FakeFile {
  readonly #name: string;
  readonly #disk: Disk;
  users = 0;
  /** Set by a test to delay closing. */
  closing: Promise<void> = Promise.resolve();

  constructor(name: string, disk: Disk) {
    this.#name = name;
    this.#disk = disk;
  }

  touch(): void {
    if (!this.#disk.open.has(this.#name)) throw new Error(`${this.#name} is used after it was closed`);
  }

  async close(): Promise<void> {
    if (this.users > 0) throw new Error(`${this.#name} is closed in use`);
    await this.closing;
    this.#disk.open.delete(this.#name);
    this.#disk.events.push(`close ${this.#name}`);
  }
}

/** A promise and the function that resolves it. */
const gate = () => Promise.withResolvers<void>();
const touch = async (file: FakeFile) => file.touch();
/** Waits until all queued microtasks and immediates have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("OpenFiles keeps a file open between uses, and closes the least recently used above the limit", async () => {
  const disk = new Disk();
  const files = disk.files(2);
  for (const name of ["a", "b", "a", "c", "a", "b"]) await files.use(name, touch);
  await settled();

  expect(disk.events).toEqual(["open a", "open b", "open c", "close b", "open b", "close c"]);
  expect(files.size).toBe(2);
});

test("OpenFiles never closes a file in use, even above the limit, and closes it after its last user", async () => {
  const disk = new Disk();
  const files = disk.files(1);
  const held = gate();
  const using = files.use("a", async (file) => {
    await held.promise;
    file.touch();
  });
  for (const name of ["b", "c"]) await files.use(name, touch);
  await settled();
  expect(disk.open).toEqual(new Set(["a"]));

  held.resolve();
  await using;
  await files.use("b", touch);
  await settled();
  expect(disk.open).toEqual(new Set(["b"]));
});

test("OpenFiles opens a file once for all concurrent users", async () => {
  const disk = new Disk();
  const files = disk.files(2);
  await Promise.all([files.use("a", touch), files.use("a", touch), files.use("a", touch)]);
  expect(disk.events).toEqual(["open a"]);
});

test("OpenFiles opens a file again only after it is closed", async () => {
  const disk = new Disk();
  const files = disk.files(1);
  const closing = gate();
  await files.use("a", async (file) => {
    file.closing = closing.promise;
  });
  await files.use("b", touch);
  const again = files.use("a", touch);
  await settled();
  expect(disk.events).toEqual(["open a", "open b"]);

  closing.resolve();
  await again;
  expect(disk.events.slice(2, 4)).toEqual(["close a", "open a"]);
});

test("OpenFiles retries a file that failed to open", async () => {
  let broken = true;
  const files = new OpenFiles(2, async () => {
    if (broken) throw new Error("broken");
    return { close: async () => undefined };
  });
  expect(files.use("a", async () => "read")).rejects.toThrow("broken");
  await settled();
  expect(files.size).toBe(0);
  broken = false;
  expect(await files.use("a", async () => "read")).toBe("read");
});

test("forget closes a file after its present users", async () => {
  const disk = new Disk();
  const files = disk.files(2);
  const held = gate();
  const using = files.use("a", async (file) => {
    await held.promise;
    file.touch();
  });
  const forgotten = files.forget("a");
  await settled();
  expect(disk.open.has("a")).toBeTrue();
  held.resolve();
  await using;
  await forgotten;
  expect(disk.open.size).toBe(0);
  await files.forget("never opened");
});

test("retire closes a file after its present users, and the next use opens it again", async () => {
  const disk = new Disk();
  const files = disk.files(2);
  await files.use("a", async (file) => {
    files.retire("a");
    await settled();
    file.touch();
  });
  await files.use("a", touch);
  files.retire("a");
  files.retire("never opened");
  await settled();
  expect(disk.events).toEqual(["open a", "close a", "open a", "close a"]);
});

test("evict closes the least recently used files that are not in use, and resolves when they are closed", async () => {
  const disk = new Disk();
  const files = disk.files(5);
  for (const name of ["a", "b", "c"]) await files.use(name, touch);
  await files.use("b", async () => {
    expect(await files.evict(1)).toBe(1);
    expect(disk.open).toEqual(new Set(["b", "c"]));
    expect(await files.evict(9)).toBe(1);
    expect(files.hasUnused).toBeFalse();
  });
  expect(files.hasUnused).toBeTrue();
});

test("close waits for present users, closes all files, and rejects further uses", async () => {
  const disk = new Disk();
  const files = disk.files(5);
  const held = gate();
  const using = files.use("a", async (file) => {
    await held.promise;
    file.touch();
  });
  await files.use("b", touch);
  const closed = files.close();
  expect(files.use("c", touch)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await settled();
  expect(disk.open).toEqual(new Set(["a"]));

  held.resolve();
  await using;
  await closed;
  expect(disk.open.size).toBe(0);
  expect(disk.events).not.toContain("open c");
});

/** Files that write their names when they are closed. The names with `!` are slow to close. */
function named(closed: string[], close: (name: string) => Promise<void> = async () => undefined) {
  return new OpenFiles(10, async (name) => ({
    isSlowToClose: name.endsWith("!"),
    async close() {
      await close(name);
      closed.push(name);
    },
  }));
}

test("close closes first what is quick to close, then what was used last, and at the end what was in use", async () => {
  const closed: string[] = [];
  const files = named(closed);
  const held = gate();
  const using = files.use("in use", () => held.promise);
  for (const name of ["a!", "b", "c!", "d", "a!"]) await files.use(name, async () => undefined);
  const closing = files.close();
  while (closed.length < 4) await settled();
  held.resolve();
  await using;
  expect(await closing).toBe(0);
  expect(closed).toEqual(["d", "b", "a!", "c!", "in use"]);
});

test("close ends at its deadline, between two files, and returns how many stay open", async () => {
  const closed: string[] = [];
  const files = named(closed);
  for (const name of ["a", "b", "c", "d"]) await files.use(name, async () => undefined);
  expect(await files.close(() => (closed.length < 2 ? 60_000 : 0))).toBe(2);
  expect(closed).toEqual(["d", "c"]);
  expect(files.use("e", async () => undefined)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("close does not wait longer for a file that is in use, or that is not closed", async () => {
  const never = new Promise<void>(() => undefined);
  const inUse = named([]);
  void inUse.use("a", () => never);
  expect(await inUse.close(countdown(1))).toBe(1);
  const hanging = named([], () => never);
  for (const name of ["a", "b"]) await hanging.use(name, async () => undefined);
  expect(await hanging.close(countdown(1))).toBe(2);
});

test("a file that can't be closed is reported and counted, and does not keep the others open", async () => {
  const reported: string[] = [];
  const closed: string[] = [];
  const files = new OpenFiles(
    5,
    async (name) => ({
      async close() {
        if (name === "a") throw new Error("disk full");
        closed.push(name);
      },
    }),
    (name, error) => void reported.push(`${name}: ${error}`),
  );
  for (const name of ["a", "b"]) await files.use(name, async () => undefined);
  expect(await files.close()).toBe(1);
  expect(reported).toEqual(["a: Error: disk full"]);
  expect(closed).toEqual(["b"]);
});

test("in any order of uses, forgets and retires, no file is opened twice, closed in use, or kept above the limit", async () => {
  const name = fc.constantFrom("a", "b", "c", "d", "e");
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("use" as const), name, turns: fc.nat(6) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom("forget" as const, "retire" as const),
        name,
        turns: fc.constant(0),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), name, turns: fc.nat(4) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), async (limit, steps) => {
      const disk = new Disk();
      const files = disk.files(limit);
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
      };
      const uses: Promise<void>[] = [];
      for (const step of steps) {
        if (step.kind === "use") {
          const use = files.use(step.name, async (file) => {
            file.users += 1;
            for (let turn = 0; turn < step.turns; turn += 1) {
              file.touch();
              await Promise.resolve();
            }
            file.touch();
            file.users -= 1;
          });
          uses.push(use);
        } else if (step.kind === "forget") uses.push(files.forget(step.name));
        else if (step.kind === "retire") files.retire(step.name);
        else await turns(step.turns);
      }
      await Promise.all(uses);
      await settled();
      expect(disk.open.size).toBeLessThanOrEqual(limit);
      expect(disk.open.size).toBe(files.size);
      await files.close();
      expect(disk.open.size).toBe(0);
    }),
    { numRuns: 300 },
  );
});
