import { afterEach, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcesses, newFolder, type Running, start, startServer, urlOf } from "./processes.ts";
import { bunFromSource, root } from "./runtimes.ts";

/** Replaces what occurs exactly once. */
function replaceOnce(text: string, written: string, used: string): string {
  expect(text.split(written)).toHaveLength(2);
  return text.replace(written, used);
}

/** Returns the blocks of the tour, which begins in the README and goes on in the pages, for the server at `url` and the receiver at `hook`. */
async function tour({ url, hook, secret }: { url: string; hook: string; secret: string }): Promise<string> {
  const pages = ["README.md", "docs/schools.md", "docs/integrators.md"];
  const text = (await Promise.all(pages.map((page) => readFile(join(root, page), "utf8")))).join("\n");
  const blocks = [...text.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  let commands = blocks.join("\n");
  commands = replaceOnce(commands, "=http://127.0.0.1:3000 ", `=${url} `);
  commands = replaceOnce(commands, "=https://127.0.0.1:8443/webhooks\n", `=${hook}\n`);
  commands = replaceOnce(commands, " listen/secret", ` ${secret}`);
  commands = commands.replaceAll("listen/scan.pdf", `${secret}.pdf`);
  commands = commands.replaceAll(/listen\/(pack\.zip|keys\.json|invoice\.pdf)/g, `${secret}.$1`);
  // All requests go to the first two.
  expect(commands.match(/https?:[^\s"']+/g)).toEqual([url, hook, "https://books.example.com"]);
  return commands;
}

/** Returns the variables that the README's command for the server sets, and that the receiver printed. */
async function printedVariables(receiver: Running): Promise<Record<string, string>> {
  const [, printed = ""] = await receiver.shows("stdout", /^ +(WINDSOCK_WEBHOOK_ALLOW=.*)$/m);
  expect(await readFile(join(root, "README.md"), "utf8")).toContain(`\n${printed} npx -y bun@1.4.5 start\n`);
  return Object.fromEntries(printed.split(" ").map((pair) => pair.split("=", 2)));
}

afterEach(endProcesses);

test("the README's tour works unchanged, and its receiver prints the approved flight", async () => {
  const folder = await newFolder();
  const receiver = await start(["listen", "--port", "0"], { runtime: { ...bunFromSource, cwd: folder } });
  const [, hook = ""] = await receiver.shows("stdout", /Listening at (\S+)/);
  const { WINDSOCK_WEBHOOK_CA = "", ...env } = await printedVariables(receiver);
  const server = await startServer({ ...env, WINDSOCK_WEBHOOK_CA: join(folder, WINDSOCK_WEBHOOK_CA) });
  const commands = await tour({ url: await urlOf(server), hook, secret: join(folder, "listen/secret") });
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
  expect(output.match(/"created":1,.*"faults":0/g)).toHaveLength(2); // people and flights were imported
  expect(output).toMatch(/control: \d+ rows, ok/);
  expect(output).toContain("\nidentical\n"); // the attachment, downloaded
  expect(output).toContain("Unchanged since it was signed.\n"); // the evidence pack
  expect(output).toContain("'flight.approved'"); // of the event catalog
  expect(output).toMatch(/^SUMMARY:.*50-hour oil change/m); // the calendar
  expect(output).toContain('"missing":["aircraft_rate","instructor_rate"]'); // a flight that was not charged
  expect(output).toContain('"balance_minor":-13205'); // the account, after an invoice and a payment
  expect(output).toContain('"status":"shortlisted"'); // the application
  expect(output).toMatch(/"slug":"sky-books".*"review_status":"approved"/);
  expect(output.match(/"type":"(schools|aircraft)","organization"/g)).toHaveLength(2); // found in the directory
  expect(output).not.toContain('"error"');

  await receiver.shows(
    "stdout",
    /^✓ flight\.approved, evt_\w+: delivery \S+, verified\n\{[\s\S]*"hobbs_end": "1235\.50"/m,
  );
  await receiver.shows("stdout", /^✓ webhook\.test, .* verified$/m);
  expect(receiver.stdout()).not.toContain("✗");
}, 300_000);
