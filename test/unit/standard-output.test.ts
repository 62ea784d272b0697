import { expect, test } from "bun:test";
import { createLineWriter } from "../../src/runtime/standard-output.ts";

type Done = (error: NodeJS.ErrnoException | null, count: number) => void;

/** An output that takes what the test tells it to. */
function heldOutput() {
  const waiting: { bytes: Uint8Array; done: Done }[] = [];
  const taken: Uint8Array[] = [];
  return {
    taken: () => Buffer.concat(taken).toString(),
    writeSome: (bytes: Uint8Array, done: Done) => void waiting.push({ bytes, done }),
    /** Takes at most `most` bytes of the write in progress. */
    async take(most = Number.POSITIVE_INFINITY) {
      const write = waiting.shift();
      if (write === undefined) throw new Error("Nothing is being written.");
      const count = Math.min(most, write.bytes.length);
      taken.push(write.bytes.slice(0, count));
      write.done(null, count);
      await new Promise(setImmediate);
    },
    async fail(code: string) {
      waiting.shift()?.done(Object.assign(new Error(code), { code }), 0);
      await new Promise(setImmediate);
    },
  };
}

test("createLineWriter writes lines in order, whole, and several at a time", async () => {
  const output = heldOutput();
  const writer = createLineWriter(output.writeSome);
  for (const line of ["a\n", "b\n", "ü\n"]) writer.write(line);
  const written = writer.written();

  await output.take();
  await output.take(3);
  await output.take();

  await written;
  expect(output.taken()).toBe("a\nb\nü\n");
});

test("createLineWriter drops lines that a full output does not take, and says how many", async () => {
  const output = heldOutput();
  const writer = createLineWriter(output.writeSome, 8);
  for (const line of ["first\n", "2\n", "3\n", "4\n"]) writer.write(line);

  await output.take();
  await output.take();

  const lines = output.taken().trim().split("\n");
  expect(lines.slice(0, 2)).toEqual(["first", "2"]);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({ level: "warn", dropped: 2 });
  writer.write("next\n");
  await output.take();
  expect(output.taken()).toEndWith("next\n");
});

test("createLineWriter ends without a reader, and tries a pipe that is full for the moment again", async () => {
  const output = heldOutput();
  const writer = createLineWriter(output.writeSome);
  writer.write("lost\n");
  await output.fail("EPIPE");
  await writer.written();
  writer.write("kept\n");
  const written = writer.written();
  await output.fail("EAGAIN");
  while (output.taken() === "") await output.take().catch(() => new Promise(setImmediate));
  await written;
  expect(output.taken()).toBe("kept\n");
});
