import { afterEach, expect, test } from "bun:test";
import { endProcesses, run } from "./processes.ts";
import { denoPath, isLinuxX64, type Runtime, root } from "./runtimes.ts";

afterEach(endProcesses);

const script = "test/runtime/serving-https.ts";
const bun: Runtime = { command: [process.execPath, script], cwd: root };
const permissions = ["--allow-net", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];
const deno: Runtime = { command: [denoPath, "run", "--no-prompt", ...permissions, script], cwd: root };

async function checkServing(runtime: Runtime): Promise<void> {
  const { code, stdout, stderr } = await run([], { runtime, env: { TMPDIR: "/tmp" } });
  expect([code, stderr]).toEqual([0, ""]);
  const used = "HTTPS uses a new certificate.";
  const refused = "The certificate can't be used. ";
  expect(JSON.parse(stdout)).toEqual({
    changeUnderLoad: {
      before: true,
      mismatched: true,
      halfWritten: true,
      failures: [],
      answers: ["127.0.0.1 20000"],
      logged: [
        `${refused}The key in key.pem is not that of the certificate in chain.pem.`,
        used,
        `${refused}chain.pem holds no certificate in PEM form.`,
        used,
      ],
    },
    withoutTls: "closed",
    unknownPeer: 403,
    stopAmidABody: { start: "FIRST-REST", length: 500_010, late: "refused" },
    badPairAtStart: "HTTPS can't be served: The key in key.pem is not that of the certificate in chain.pem.",
  });
}

const promise = "uses changed files under load without a failed request, and keeps a certificate while they don't fit";

test(`HTTPS on Bun ${promise}`, () => checkServing(bun), 60_000);

test.skipIf(!isLinuxX64)(`HTTPS on Deno ${promise}`, () => checkServing(deno), 60_000);
