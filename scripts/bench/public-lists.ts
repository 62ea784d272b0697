/**
 * How long the public lists of a large school take: the first page and the deepest, p99 of requests one after the other. Each
 * is asked afresh, after a write that makes the cached body invalid, and again unchanged. Then, what a change of one record
 * and of a requirement costs the evaluations.
 *
 *   bun scripts/bench/public-lists.ts [flights=100000] [aircraft=200] [records=5000] [requests=200]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable } from "./post-office.ts";
import { freePort, startServer } from "./server.ts";

const [flights = 100_000, aircraft = 200, records = 5_000, requests = 200] = process.argv.slice(2).map(Number);
const people = 500;
const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const port = freePort();
const url = `http://127.0.0.1:${port}`;
const server = await startServer(port, directory, { WINDSOCK_WRITE_RATE: "999999", WINDSOCK_API_KEY_RATE: "999999" });

let token = "";
async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": typeof body === "string" ? "text/csv" : "application/json" }),
      ...(token !== "" && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

const registration = (n: number) => `D-${String(n).padStart(4, "0")}`;
const day = (offset: number) => new Date(Date.UTC(2026, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);

/** Reads a whole list. */
async function all(path: string): Promise<{ id: string; [name: string]: unknown }[]> {
  const rows = [];
  for (let cursor = ""; ; ) {
    const { data, page } = await call("GET", `${path}?limit=500${cursor}`);
    rows.push(...data);
    if (page.next_cursor === null) return rows;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** @returns the path of the school */
async function seed(): Promise<{ org: string; orgId: string; key: string }> {
  const account = { email: "olga@bench.example", password: "correct horse battery", name: "Olga" };
  const organization = { name: "Bench", kind: "ato", time_zone: "Europe/Berlin", currency: "EUR" };
  const { data } = await call("POST", "/auth/signup-org", { ...account, organization });
  token = data.tokens.access_token;
  const org = `/orgs/${data.organization.id}`;
  const scopes = ["flights", "pilots", "fleet", "maintenance", "compliance", "events"].map(
    (name) => `public.${name}:read`,
  );
  const key = (await call("POST", `${org}/integrations/api-keys`, { name: "Bench", scopes })).data.token;

  const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
  const craft = lines(aircraft, (n) => `${registration(n)},Cessna 172S,SEP,1000.00`);
  await call("POST", `${org}/aircraft/import`, ["registration,model,class,hobbs", ...craft].join("\n"));
  const persons = lines(people, (n) => `Person ${n},p${n}@bench.example,pilot`);
  await call("POST", `${org}/people/import`, ["name,email,types", ...persons].join("\n"));
  for (let from = 0; from < flights; from += 5000) {
    const some = lines(Math.min(5000, flights - from), (at) => {
      const n = from + at;
      const turn = Math.floor(n / aircraft);
      const off = new Date(Date.UTC(2020, 0, 1) + turn * 3 * 3_600_000).toISOString();
      const on = new Date(Date.parse(off) + 3_600_000).toISOString();
      return `${registration(n % aircraft)},${off},${on},EDFE,EDKB,1,p${n % people}@bench.example`;
    });
    const columns = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic";
    await call("POST", `${org}/flights/import`, [columns, ...some].join("\n"));
  }
  const fleet = await all(`${org}/aircraft`);
  for (const { id } of fleet) {
    await call("POST", `${org}/maintenance/templates/piston-aeroplane/apply`, { aircraft_id: id });
    for (const title of ["Check", "Repair"])
      await call("POST", `${org}/maintenance/work-orders`, { aircraft_id: id, title });
  }
  const persondata = await all(`${org}/people`);
  for (let n = 0; n < records; n += 1) {
    const person_id = persondata[n % persondata.length]?.id;
    const record = { person_id, type: n % 2 ? "sep" : "elp", ...(n % 2 ? {} : { level: "4" }) };
    await call("POST", `${org}/compliance/records`, {
      ...record,
      issued_on: day(-(records - n)),
      valid_until: day(n % 400),
    });
  }
  return { org, orgId: data.organization.id, key };
}

async function times(request: () => Promise<unknown>, before?: () => Promise<unknown>): Promise<string> {
  const taken = [];
  for (let round = 0; round < requests; round += 1) {
    await before?.();
    const start = performance.now();
    await request();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return `${(taken[Math.floor(requests / 2)] ?? 0).toFixed(2)}, ${(taken[Math.floor(requests * 0.99)] ?? 0).toFixed(2)}`;
}

try {
  const began = performance.now();
  const { org, orgId, key } = await seed();
  console.log(`Seeded in ${((performance.now() - began) / 1000).toFixed(0)} s.\n`);
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${key}`, "x-org-id": orgId };
    const response = await fetch(`${url}/api/v1/public${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
  const [person] = await all(`${org}/people`);
  let turn = 0;
  const write = () => call("PATCH", `${org}/people/${person?.id}`, { phone: `+49 ${++turn}` });

  const deepest = async (path: string) => {
    const { page } = await ask(`${path}${path.includes("?") ? "&" : "?"}limit=100&with_total=true`);
    return Math.max(0, page.total - 100);
  };
  const paths = ["/fleet", "/maintenance/due", "/compliance?soon_days=30"];
  for (const path of ["/flights", "/pilots", "/maintenance/work-orders"])
    paths.push(`${path}?limit=100`, `${path}?limit=100&offset=${await deepest(path)}`);
  paths.push("/flights?limit=100&status=approved", "/events?limit=100");
  const rows = [];
  for (const path of paths) rows.push([path, await times(() => ask(path), write), await times(() => ask(path))]);
  printTable(["public list", "afresh: median, p99 in ms", "unchanged: median, p99 in ms"], rows);

  const evaluated = async () =>
    new Map((await all(`${org}/compliance/evaluations`)).map((one) => [one.id, one.evaluated_at]));
  const changed = async (work: () => Promise<unknown>) => {
    const before = await evaluated();
    const start = performance.now();
    await work();
    const took = performance.now() - start;
    const after = await evaluated();
    return [[...after].filter(([id, at]) => before.get(id) !== at).length, `${took.toFixed(1)} ms`];
  };
  const record = { person_id: person?.id, type: "sep", issued_on: day(200), valid_until: day(900) };
  const requirement = { applies_to: "pilot", any_of: ["radio"] };
  const evaluations = [
    [
      `one record, of ${people} people and ${aircraft} aircraft`,
      ...(await changed(() => call("POST", `${org}/compliance/records`, record))),
    ],
    ["a requirement", ...(await changed(() => call("POST", `${org}/compliance/requirements`, requirement)))],
  ];
  printTable(["change", "evaluations made anew at once", "the request"], evaluations);
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
