import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/** The blocks of the README that are marked as its tour, for the server at `url`. */
async function tour(url: string): Promise<string> {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  return blocks.join("\n").replace("http://127.0.0.1:3000", url);
}

/** Starts the server of this tree in `directory`, on any free port. */
async function startIn(directory: string) {
  const env = { ...process.env, WINDSOCK_PORT: "0", WINDSOCK_DATA_DIR: directory };
  const server = spawn(process.execPath, ["src/main.ts"], { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  let banner = "";
  for await (const text of server.stderr) {
    banner += text;
    const url = /serving at (\S+)/.exec(banner)?.[1];
    if (url !== undefined) return { server, url };
  }
  throw new Error(`The server did not start: ${banner}`);
}

test("the README's tour works as it stands", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-tour-"));
  const { server, url } = await startIn(directory);
  try {
    const shell = spawn("sh", ["-eu", "-c", await tour(url)], {
      cwd: root,
      env: { ...process.env, WINDSOCK_DATA_DIR: directory },
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
  } finally {
    server.kill("SIGTERM");
    await once(server, "close");
    await rm(directory, { recursive: true });
  }
}, 30_000);
