/**
 * The process that reads files which may be damaged, and migrates files (`storage/check/check-process.ts`). It takes one
 * task a line from standard input, and ends with it.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { collectGarbage } from "../runtime/collect-garbage.ts";
import { limitMemory } from "../storage/check/check-file.ts";
import { type Message, Task } from "../storage/check/messages.ts";
import { performTask } from "../storage/check/perform-task.ts";

/** Synchronous, so that the message is sent when the next call ends the process. A long one is taken in pieces. */
function send(message: Message): void {
  for (let rest = Buffer.from(`${JSON.stringify(message)}\n`); rest.length > 0; ) rest = rest.subarray(writeNow(rest));
}

function writeNow(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // the reader is busy
    return 0;
  }
}

// A terminal sends Ctrl-C to all its processes. The server ends this one.
process.on("SIGINT", () => undefined);

// The program that started it has no task for it any more, or was killed: then nobody wants the file that it is writing.
process.stdin.on("end", () => process.exit());

limitMemory();
for await (const line of createInterface({ input: process.stdin })) {
  const result = await performTask(Task.parse(JSON.parse(line)), (table) => send({ table }));
  // Closes the file, which the server may open when it has the result: the statements keep it open until they are collected.
  collectGarbage();
  send({ result });
}
process.exit();
