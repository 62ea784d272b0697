import { expect, test } from "bun:test";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { selfSigned } from "../../src/demo/certificate.ts";
import { watchCertificate } from "../../src/tls/watch-certificate.ts";

test.each([
  ["certificate.pem", "certificate.pem", /^The certificate can't be used\. \S+certificate\.pem is missing\.$/],
  ["chain.pem", "key.pem", /^The certificate can't be used\. \S+chain\.pem or \S+key\.pem is missing\.$/],
])("files that are gone are named, each once: %s, %s", async (cert, key, expected) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const at = (name: string) => join(tmpdir(), "no-such-folder", name);
  const watch = watchCertificate({
    paths: { cert: at(cert), key: at(key) },
    state: "as they were",
    use: () => undefined,
    log: { info: () => undefined, error: () => undefined, warn: (_, message) => resolve(message) },
    every: 1,
  });
  expect(await promise).toMatch(expected);
  await watch.stop();
});

test("a certificate that was read while its files changed is used once", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-certificate-"));
  const file = join(directory, "pair.pem");
  const { cert, key } = selfSigned(new Date());
  await writeFile(file, cert + key);
  let [looks, uses] = [0, 0];
  const paths = {
    key: file,
    // Each look reads it.
    get cert() {
      looks += 1;
      return file;
    },
  };
  const watch = watchCertificate({
    paths,
    state: "as they were",
    async use() {
      uses += 1;
      await utimes(file, uses, uses);
    },
    log: { info: () => undefined, error: () => undefined, warn: () => undefined },
    every: 1,
  });
  while (uses === 0) await yieldToEventLoop();
  const seen = looks;
  while (looks < seen + 10) await yieldToEventLoop();
  await watch.stop();
  await rm(directory, { recursive: true });
  expect(uses).toBe(1);
});
