import { afterEach, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcesses, startServer, urlOf } from "./processes.ts";
import { root } from "./runtimes.ts";

/** The blocks of the README that are marked as its tour, for the server at `url`. */
async function tour(url: string): Promise<string> {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  return blocks.join("\n").replace("http://127.0.0.1:3000", url);
}

afterEach(endProcesses);

test("the README's tour works as it stands", async () => {
  const server = await startServer();
  const shell = spawn("sh", ["-eu", "-c", await tour(await urlOf(server))], {
    cwd: root,
    env: { ...process.env, WINDSOCK_DATA_DIR: server.directory },
  });
  let output = "";
  shell.stdout.on("data", (text) => {
    output += text;
  });
  const [code] = await once(shell, "close");

  expect(code).toBe(0);
  expect(output).toContain('"hobbs":"1235.50"');
  expect(output).toContain('"airframe_minutes":74132');
  expect(output).toContain('"has_more":false');
  expect(output).toContain('"action":"flight.approved"');
  expect(output).toMatch(/control: \d+ rows, ok/);
  expect(output).not.toContain('"error"');
}, 30_000);
