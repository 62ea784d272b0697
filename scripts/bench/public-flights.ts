/**
 * How fast an integrator reads 100 flights, whole and with an `If-None-Match` that matches (304), as a ratio to a
 * constant response from the same runtime in the same run.
 * Both servers are processes of their own on loopback; `wrk` (Debian's package) asks them in turn.
 *
 *   bun scripts/bench/public-flights.ts [rounds]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const rounds = Number(process.argv[2] ?? 5);
const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const windsock = start(["src/main.ts"], {
  WINDSOCK_PORT: "3901",
  WINDSOCK_DATA_DIR: directory,
  WINDSOCK_API_KEY_RATE: "999999",
  WINDSOCK_LOG_LEVEL: "warn",
});
const base = "http://127.0.0.1:3901";
try {
  await until(() => fetch(`${base}/health`));
  const { org, key, body, tag } = await seed();
  const constant = start([
    "-e",
    `const body = ${JSON.stringify(body)}; Bun.serve({ port: 3902, hostname: "127.0.0.1", fetch: () => new Response(body, { headers: { "content-type": "application/json" } }) });`,
  ]);
  try {
    await until(() => fetch("http://127.0.0.1:3902/"));
    console.log("| round | flights, requests/s | 304, requests/s | constant, requests/s | ratio | ratio of 304 |");
    console.log("|---|---|---|---|---|---|");
    for (let round = 0; round <= rounds; round += 1) {
      const credentials = [`Authorization: Bearer ${key}`, `X-Org-Id: ${org}`];
      const url = `${base}/api/v1/public/flights?limit=100`;
      const flights = await wrk(url, credentials);
      const unchanged = await wrk(url, [...credentials, `If-None-Match: ${tag}`]);
      const ceiling = await wrk("http://127.0.0.1:3902/", []);
      const ratios = [flights, unchanged].map((rate) => (rate / ceiling).toFixed(3));
      if (round > 0) console.log(`| ${[round, flights, unchanged, ceiling, ...ratios].join(" | ")} |`);
    }
    console.log(`\nbody: ${body.length} bytes`);
  } finally {
    constant.kill();
  }
} finally {
  windsock.kill("SIGTERM");
  await windsock.exited;
  await rm(directory, { recursive: true });
}

function start(args: string[], env: Record<string, string> = {}) {
  return Bun.spawn([process.execPath, ...args], {
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "inherit",
  });
}

async function until(ask: () => Promise<Response>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await ask().then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await Bun.sleep(50);
  }
  throw new Error("The server did not come up.");
}

async function wrk(url: string, headers: string[]): Promise<number> {
  const args = ["wrk", "-t1", "-c16", "-d4s", ...headers.flatMap((header) => ["-H", header]), url];
  const output = await new Response(Bun.spawn(args, { stdout: "pipe" }).stdout).text();
  if (/Non-2xx/.test(output)) throw new Error(output);
  return Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]));
}

/** A school with 500 flights and a key that may read them. */
async function seed() {
  let token = "";
  const post = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
    const { data, error } = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(error));
    return data;
  };
  const organization = { name: "Bench", kind: "ato" };
  const {
    tokens,
    organization: { id: org },
  } = await post("/auth/signup-org", {
    email: "a@bench.example",
    password: "correct horse battery",
    name: "A",
    organization,
  });
  token = tokens.access_token;
  const { id: aircraft_id } = await post(`/orgs/${org}/aircraft`, {
    registration: "D-EABC",
    model: "Cessna 172S",
    icao_type: "C172",
    class: "SEP",
  });
  const people = [];
  for (const [name, type] of [
    ["Ines", "instructor"],
    ["Sam", "student"],
  ])
    people.push(await post(`/orgs/${org}/people`, { name, types: [type] }));
  for (let n = 0; n < 500; n += 1) {
    const off = Date.UTC(2026, 0, 1) + n * 3_600_000;
    const crew = [
      { person_id: people[0].id, function: "instructor" },
      { person_id: people[1].id, function: "dual" },
    ];
    const times = { off_block_at: new Date(off).toISOString(), on_block_at: new Date(off + 3_000_000).toISOString() };
    await post(`/orgs/${org}/flights`, {
      aircraft_id,
      ...times,
      departure: "EDFE",
      arrival: "EDKB",
      day_landings: 1,
      hobbs_start: "10.00",
      hobbs_end: "10.90",
      crew,
    });
  }
  const { token: key } = await post(`/orgs/${org}/integrations/api-keys`, {
    name: "Bench",
    scopes: ["public.flights:read"],
  });
  const answer = await fetch(`${base}/api/v1/public/flights?limit=100`, {
    headers: { authorization: `Bearer ${key}`, "x-org-id": org },
  });
  return { org, key, body: await answer.text(), tag: answer.headers.get("etag") };
}
