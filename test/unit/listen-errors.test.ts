import { expect, test } from "bun:test";
import { withClearError } from "../../src/runtime/serve.ts";

const said = (code: string, port: number) =>
  withClearError({ host: "0.0.0.0", port }, () => {
    throw Object.assign(new Error("it failed"), { code });
  }).catch((error: Error) => error.message);

test("a port that can't be used is said with what to do: in use, or below 1024 without the right", async () => {
  expect(await said("EADDRINUSE", 443)).toContain("Stop it, or choose another WINDSOCK_PORT");
  expect(await said("EACCES", 443)).toMatch(/may not use ports below 1024.*install --systemd.*setcap/);
  expect(await said("EACCES", 3000)).toContain("it failed. WINDSOCK_HOST must be");
});
