/**
 * The databases of tests on a libSQL server instead of in files: `scripts/test-runtimes.ts --on server` asks for it. An installation in a
 * directory that the test names stays in files, since such a test starts again with what is in there.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { loadConfig } from "../../src/config.ts";
import { once } from "../../src/core/once.ts";
import { checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { fillServer } from "../../src/storage/server/fill-server.ts";

export const areOnServer = process.env.WINDSOCK_TESTS_ON_SERVER !== undefined;

/** One for all installations of this process: each has namespaces of its own. */
const server = once(async () => {
  // Deno has no `bun`.
  const { newSqld } = await import("./sqld.ts");
  // As `docs/operators.md` says: with fewer than there are, it ends connections in use.
  const sqld = await newSqld({ args: ["--max-active-namespaces", "2000", "--max-concurrent-connections", "4000"] });
  isStarted = true;
  return sqld;
});

let isStarted = false;
let count = 0;

/**
 * Puts an installation on the server.
 *
 * @param directory has the files of a data directory, which are moved to the server, or none
 * @returns the variables with which it is opened
 */
export async function putOnServer(directory: string): Promise<Record<string, string>> {
  count += 1;
  const { url, adminUrl, tokenKey = "" } = (await server()).settings(`on${count}-`);
  const secret = await readFile(join(directory, "secret.key"), "utf8").catch(() => undefined);
  const variables = {
    WINDSOCK_STORE: "server",
    WINDSOCK_STORE_URL: url,
    WINDSOCK_STORE_ADMIN_URL: adminUrl,
    WINDSOCK_STORE_TOKEN_KEY: tokenKey,
    WINDSOCK_SECRET_KEY: secret?.trim() ?? "a secret of these tests, which is long enough",
  };
  const { store } = loadConfig({ WINDSOCK_DATA_DIR: directory, ...variables });
  if (secret !== undefined && store !== undefined)
    await fillServer({ directory, settings: store, checker: checkerInThisProcess });
  return variables;
}

/** Called after all tests (`preload.ts`). */
export async function endServer(): Promise<void> {
  if (isStarted) await (await server()).close();
}
