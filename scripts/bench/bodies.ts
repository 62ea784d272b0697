/**
 * What the worst bodies cost: four connections send one of them without a pause, and meanwhile another client asks for
 * `/health` every 5 ms. The server is a process of its own on loopback; each request claims another client address, so
 * that the rate limits do not refuse it first.
 *
 *   bun scripts/bench/bodies.ts [seconds for each=8] [bytes=65536] [only names with this text]
 *
 * The bodies of imports have 2 MiB, and 40 KB.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable, quantile } from "./post-office.ts";

const [seconds, bytes, only] = [Number(process.argv[2] ?? 8), Number(process.argv[3] ?? 65_536), process.argv[4] ?? ""];
const connections = 4;
const base = "http://127.0.0.1:3904";
const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const server = Bun.spawn([process.execPath, "src/main.ts"], {
  env: {
    ...process.env,
    WINDSOCK_PORT: "3904",
    WINDSOCK_DATA_DIR: directory,
    // The log is part of a request's cost.
    WINDSOCK_LOG_LEVEL: "info",
    WINDSOCK_TRUSTED_PROXIES: "127.0.0.0/8",
    WINDSOCK_WRITE_RATE: "999999",
  },
  stdout: "ignore",
  stderr: "ignore",
});

/** As many copies as fit between the two ends. `%` becomes a number, so that names differ. */
function filled(start: string, item: string, end: string, most = Number.POSITIVE_INFINITY): string {
  const items: string[] = [];
  for (let left = bytes - start.length - end.length; items.length < most; ) {
    const text = item.replace("%", items.length.toString(36));
    left -= text.length + 1;
    if (left < 0) break;
    items.push(text);
  }
  return start + items.join(",") + end;
}

/** As many items as are still read, together as long as the body may be. */
const long = (start: string, count: number, item: (filling: string) => string, end: string) =>
  filled(start, item("x".repeat(Math.floor((bytes - 100) / count) - item("").length - 2)), end, count);

/** Files that consist of one text, again and again. */
function imports(): [name: string, path: string, body: string][] {
  const all = { people: "name,email", aircraft: "registration", flights: "off_block_at" };
  const units = {
    ...{ "line feeds": "\n", CRLF: "\r\n", "carriage returns": "\r", spaces: " \n", tabs: "\t\n", marks: "\ufeff\n" },
    ...{ commas: ",\n", "empty quotes": '""\n', values: "x\n", "two values": "x,y\n", "quoted line feeds": '"\n"\n' },
    ...{ "one line of quotes": '"', "one line of commas": ",", "one line of text": "x", "one line of marks": "\ufeff" },
    ...{ "long lines of commas": `${",".repeat(60_000)}\n` },
  };
  const sizes = { "40 KB": 40_000, "2 MiB": 2 * 1024 * 1024 - 100 };
  const named = Object.entries(all).flatMap(([path, heading]) =>
    Object.entries(units).flatMap(([unit, text]) =>
      Object.entries(sizes).map(([size, most]): [string, string, string] => {
        const count = Math.ceil(most / Buffer.byteLength(text)) - 1 || 1;
        return [`import of ${path}, ${unit}, ${size}`, `${path}/import`, `${heading}\n${text.repeat(count)}`];
      }),
    ),
  );
  named.push(["import of people, long lists", "people/import", `types\n${`${"x|".repeat(30_000)}\n`.repeat(34)}`]);
  named.push(["import of flights, long crews", "flights/import", `crew\n"[${"{},".repeat(20_000)}{}]"\n`.repeat(33)]);
  const names = (nameOf: (at: string) => string) =>
    Array.from({ length: 9000 }, (_, at) => nameOf(at.toString(36))).join();
  const wide = names((at) => `n${at}`);
  named.push(["import of people, many columns", "people/import", `${wide}\n`]);
  named.push(["import of people, many columns, and lines", "people/import", `${wide}\n${`${wide}\n`.repeat(40)}`]);
  return named;
}

const login = "/auth/login";
const flights = "flights";
const bodies: readonly (readonly [name: string, path: string, body: string | Uint8Array])[] = [
  ["login, unknown fields", login, filled("{", '"k%":1', "}")],
  ["login, the same field again and again", login, filled("{", '"email":1', "}")],
  ["login, as many unknown fields as are read", login, long("{", 490, (x) => `"%${x}":1`, "}")],
  ["login, a long text", login, `{"email":"a@b.example","password":"${"é".repeat((bytes - 60) / 2)}"}`],
  ["login, a text of escapes", login, filled('{"email":"', "\\u0061", '","password":"x"}').replaceAll(",\\", "\\")],
  ["login, a long number", login, `{"email":${"9".repeat(bytes - 30)}}`],
  ["login, invalid UTF-8 at the end", login, Buffer.concat([Buffer.from(filled("{", '"k%":1', "")), Buffer.of(255)])],
  ["login, lists in lists", login, "[".repeat(bytes)],
  ["login, objects in objects", login, filled("", '{"a":', "").replaceAll(",", "")],
  ["flight, crew members", flights, filled('{"crew":[', "{}", "]}")],
  ["flight, as many crew members as are read", flights, long('{"crew":[', 240, (x) => `{"%${x}":1}`, "]}")],
  ["flight, long remarks", flights, `{"remarks":"${" ".repeat(bytes - 40)}"}`],
  ...imports(),
];

try {
  for (let tries = 0; tries < 200 && !(await isUp()); tries += 1) await Bun.sleep(50);
  const { token, organization } = await foundSchool();
  const quiet = await probe(2, new AbortController().signal);
  const rows = [["none", "", "", ...spread(quiet), await residentMegabytes(), ""]];
  for (const [name, path, body] of bodies) {
    if (!name.includes(only)) continue;
    const url = path.startsWith("/") ? base + path : `${base}/orgs/${organization}/${path}`;
    rows.push(await load(name, url, Buffer.from(body), token));
  }
  printTable(["body", "status", "requests/s", "p50, ms", "p99, ms", "longest, ms", "RSS, MB", "grown by, MB"], rows);
} finally {
  server.kill("SIGTERM");
  await server.exited;
  await rm(directory, { recursive: true });
}

async function load(name: string, url: string, body: Uint8Array<ArrayBuffer>, token: string): Promise<string[]> {
  const before = Number(await residentMegabytes());
  const end = performance.now() + seconds * 1000;
  const statuses = new Set<number>();
  let requests = 0;
  const clients = Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const headers = {
        "content-type": url.endsWith("/import") ? "text/csv" : "application/json",
        "x-forwarded-for": anyAddress(),
        ...(url.includes("/orgs/") && { authorization: `Bearer ${token}` }),
      };
      try {
        const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(60_000) });
        await answer.arrayBuffer();
        statuses.add(answer.status);
      } catch {
        statuses.add(0);
      }
      requests += 1;
    }
  });
  const ended = new AbortController();
  const memory = peakMegabytes(ended.signal);
  const took = await probe(seconds, ended.signal);
  await Promise.all(clients);
  ended.abort();
  const peak = await memory;
  const rate = (requests / seconds).toFixed(0);
  return [name, [...statuses].join(" "), rate, ...spread(took), peak.toFixed(0), (peak - before).toFixed(0)];
}

/** @returns how long each request for `/health` took, in milliseconds */
async function probe(forSeconds: number, ended: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  while (performance.now() < end && !ended.aborted) {
    const started = performance.now();
    await (await fetch(`${base}/health`)).text();
    took.push(performance.now() - started);
    await Bun.sleep(5);
  }
  return took;
}

async function peakMegabytes(ended: AbortSignal): Promise<number> {
  let peak = 0;
  while (!ended.aborted) {
    peak = Math.max(peak, Number(await residentMegabytes()));
    await Bun.sleep(50);
  }
  return peak;
}

async function residentMegabytes(): Promise<string> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}

async function foundSchool(): Promise<{ token: string; organization: string }> {
  const organization = { name: "Bench", kind: "ato" };
  const body = JSON.stringify({
    email: "a@bench.example",
    password: "correct horse battery staple",
    name: "A",
    organization,
  });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${base}/auth/signup-org`, { method: "POST", headers, body });
  const { data } = await answer.json();
  return { token: data.tokens.access_token, organization: data.organization.id };
}

function anyAddress(): string {
  const octet = () => Math.floor(Math.random() * 256);
  return `10.${octet()}.${octet()}.${octet()}`;
}

function isUp(): Promise<boolean> {
  return fetch(`${base}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function spread(values: readonly number[]): string[] {
  return [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1));
}
