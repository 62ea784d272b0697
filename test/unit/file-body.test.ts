import { expect, test } from "bun:test";
import { FileBody } from "../../src/http/file-body.ts";

const limits = { bytes: 100, mediaTypes: ["image/png"] };

/** A body that brings some bytes, and then nothing. */
function newBody() {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => cancelled.resolve(),
  });
  const request = new Request("http://localhost/", { method: "POST", body });
  const never = () => Promise.reject(new Error("It has not arrived."));
  return { file: new FileBody(request, limits, never), cancelled: cancelled.promise };
}

test.each([
  ["pauses", { whole: 60_000, pause: 1 }],
  ["takes too long as a whole", { whole: 1, pause: 60_000 }],
])("a body that %s is refused and given up", async (_, patience) => {
  const { file, cancelled } = newBody();
  let bytes = 0;
  const reading = (async () => {
    for await (const piece of file.pieces(patience)) bytes += piece.length;
  })();
  await expect(reading).rejects.toMatchObject({ code: "BAD_REQUEST", message: "The body arrives too slowly." });
  expect(bytes).toBe(10);
  await cancelled;
});

test("a body that a route stops reading is given up", async () => {
  const { file, cancelled } = newBody();
  for await (const _ of file.pieces()) break;
  await cancelled;
});
