import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
