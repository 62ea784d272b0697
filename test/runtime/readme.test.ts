import { afterEach, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { verify } from "@octokit/webhooks-methods";
import { endProcesses, newFolder, startServer, urlOf } from "./processes.ts";
import { root } from "./runtimes.ts";
import { openReceivers } from "./webhook-story.ts";

/** Returns the tour's blocks of the README, for the server at `url` and a receiver at `hook`. */
async function tour({ url, hook }: { url: string; hook: string }): Promise<string> {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  const commands = blocks
    .join("\n")
    .replace("=http://127.0.0.1:3000 ", `=${url} `)
    .replace("=https://hooks.example.com/windsock ", `=${hook} `);
  // All requests go to these two.
  expect(commands.match(/https?:[^\s"']+/g)).toEqual([url, hook]);
  return commands;
}

afterEach(endProcesses);

test("the README's tour works unchanged", async () => {
  await using receivers = await openReceivers(join(await newFolder(), "ca.pem"));
  const { env, trusted } = receivers;
  const server = await startServer(env);
  const commands = await tour({ url: await urlOf(server), hook: trusted.url });
  const shell = spawn("sh", ["-eu", "-c", commands], {
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
  expect(output).toContain("'flight.approved'"); // of the event catalog
  expect(output).not.toContain('"error"');

  const [, secret = "none"] = /"secret":"(whsec_[\w+/]+=)"/.exec(output) ?? [];
  const { id, body, headers } = await trusted.take("webhook.test");
  expect(output).toContain(id);
  expect(await verify(secret, body, String(headers["x-svc-webhook-signature"]))).toBe(true);
}, 30_000);
