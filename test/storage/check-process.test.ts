import { afterEach, expect, test } from "bun:test";
import { CheckProcess } from "../../src/storage/check/check-process.ts";
import { EndsReader } from "../../src/storage/check/checker.ts";

const processes: CheckProcess[] = [];
afterEach(() => {
  for (const one of processes.splice(0)) one.close();
});

function running(script: string, file = process.execPath): CheckProcess {
  const one = new CheckProcess({ file, args: ["-e", script] });
  processes.push(one);
  return one;
}

const task = { kind: "check", path: "/nowhere.db", expected: { kind: "control" } } as const;
const echo = `
  for await (const line of console) console.log(JSON.stringify({ result: { kind: "check", faults: [line, String(process.pid)] } }))`;

test("perform gives one process one task after the other", async () => {
  const process = running(echo);
  const [first, second] = await Promise.all([process.perform(task, 10_000), process.perform(task, 10_000)]);
  expect(first).toEqual({ kind: "check", faults: [JSON.stringify(task), expect.any(String)] });
  expect(second).toEqual(first);
});

test("perform reports a file that ends its reader, with the table that was read, and the next task has a new process", async () => {
  const process = running(`console.log(JSON.stringify({ table: "events" })); process.kill(process.pid, "SIGABRT")`);
  for (const _ of [1, 2]) {
    const error: unknown = await process.perform(task, 10_000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EndsReader);
    expect(String(error)).toContain("reading it (events) ends the process with SIGABRT");
  }
});

test("perform kills a process at the time limit, which is not a fault of the file", async () => {
  await expect(running("setInterval(() => {}, 1000)").perform(task, 1)).rejects.toThrow("was not finished within");
});

test("perform reports a process that can't be started or that fails, which is not a fault of the file", async () => {
  await expect(running("", "/nonexistent/program").perform(task, 10_000)).rejects.toThrow("can't be started");
  await expect(running(`console.error("no library"); process.exit(3)`).perform(task, 10_000)).rejects.toThrow(
    "ended with 3: no library",
  );
});

test("perform rejects a line that is no message, and the next task has a new process", async () => {
  const process = running(`
    for await (const line of console) {
      console.log(JSON.stringify({ table: String(process.pid) }));
      console.log("no message");
      console.log(JSON.stringify({ result: { kind: "migrate" } }));
    }`);
  for (const _ of [1, 2]) await expect(process.perform(task, 10_000)).rejects.toThrow("JSON");
});

test("close ends a running task, and later tasks are refused", async () => {
  const process = running("setInterval(() => {}, 1000)");
  const performing = process.perform(task, 60_000);
  await new Promise(setImmediate);
  process.close();
  await expect(performing).rejects.toThrow("ended with SIGKILL");
  await expect(process.perform(task, 60_000)).rejects.toThrow("stopping");
});
