/** What the log says while the certificate is not there: as much as `windsock doctor`, also after a restart. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineCertificate } from "../../src/modules/operations/doctor/examine-certificate.ts";
import { createRenewal } from "../../src/tls/renewal.ts";
import type { AcmeTls } from "../../src/tls/settings.ts";
import { afterThisTest } from "../support/after-test.ts";
import { TestClock } from "../support/clock.ts";

/** Nothing listens on port 1. */
const tls: AcmeTls = {
  ...{ kind: "acme", domain: "ops.example.com", directory: "https://127.0.0.1:1/directory", httpPort: 80 },
  ...{ email: undefined, ca: undefined },
};

/** A process with the folder of the certificate. */
function started(dataDir: string) {
  const said: string[] = [];
  const say = (_: Record<string, unknown>, message: string) => void said.push(message);
  const renewal = createRenewal({
    ...{ tls, dataDir, ca: undefined, isServing: () => true },
    ...{ log: { warn: say, error: say }, stopping: new AbortController().signal },
  });
  return { said, renewal };
}

test("a failed attempt, and the wait after it, are logged with the reason and the time of the next one, once", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "windsock-renewal-"));
  afterThisTest(() => rm(dataDir, { recursive: true }));
  const clock = new TestClock();
  const first = started(dataDir);
  const failed = await first.renewal.renew(clock.now(), false);
  expect(first.said).toEqual([
    expect.stringMatching(/^The authority can't be used: .*ECONNREFUSED.* It is asked again at 2026-06-14T09:01:00/),
  ]);
  expect(failed).toEqual({ summary: first.said[0] ?? "", failed: true });
  const [found] = await examineCertificate({ tls, dataDir, publicUrl: "https://ops.example.com" }, clock);
  expect(found?.remedy).toBe(first.said[0]);
  expect(await first.renewal.renew(clock.now(), false)).toBe("waiting");

  const second = started(dataDir);
  for (const _ of [1, 2]) expect(await second.renewal.renew(clock.now(), false)).toBe("waiting");
  expect([first.said.length, second.said]).toEqual([1, [first.said[0] ?? ""]]);
});
