import { afterEach, expect, test } from "bun:test";
import { endProcesses, run } from "./processes.ts";
import { denoPath, isLinuxX64, type Runtime, root } from "./runtimes.ts";

afterEach(endProcesses);

const script = "test/runtime/serving.ts";
const bun: Runtime = { command: [process.execPath, script], cwd: root };
const deno: Runtime = { command: [denoPath, "run", "--no-prompt", "--allow-net", script], cwd: root };

async function checkServing(runtime: Runtime): Promise<void> {
  const { code, stdout, stderr } = await run([], { runtime });
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({
    amidABody: { peer: "127.0.0.1", late: "refused", status: "HTTP/1.1 200 OK", body: "FIRST-REST" },
    atTheDeadline: "cut",
    withoutHost: ["200 OK", "GET /health/ready 127.0.0.1"],
    failing: [500, ""],
    portInUse:
      "Can't listen on 127.0.0.1, port PORT: another program listens there. Stop it, or choose another WINDSOCK_PORT.",
    noSuchHostNamesItsVariable: true,
  });
}

const promise =
  "knows its peers, takes HTTP/1.0, lets a request end whose body is arriving, cuts at the deadline, and hides errors";

test(`serve on Bun ${promise}`, () => checkServing(bun));

test.skipIf(!isLinuxX64)(`serve on Deno ${promise}`, () => checkServing(deno));
