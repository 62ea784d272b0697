/**
 * The matrices of a school with 500 people and 50 aircraft: who may fly what, and who meets what is required: in process with the
 * JSON of the answer, and by requests to a server. The goal is a p99 under 50 ms.
 *
 *   bun scripts/bench/matrices.ts [people=500] [aircraft=50] [rounds=100]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { MemberActor } from "../../src/core/actor.ts";
import { type Instant, systemClock, toInstant } from "../../src/core/clock.ts";
import type { Id, OrgId } from "../../src/core/ids.ts";
import { permissions } from "../../src/core/permissions.ts";
import { askClearance } from "../../src/modules/clearance/ask-clearance.ts";
import { askMatrix } from "../../src/modules/clearance/matrix/ask-matrix.ts";
import { readMatrix } from "../../src/modules/compliance/matrix/read-matrix.ts";
import { openStorage } from "../../src/storage/storage.ts";
import type { Store, Tx } from "../../src/storage/store.ts";
import { freePort, processorTime, startServer } from "./server.ts";

const many = Number(process.argv[2] ?? 500);
const planes = Number(process.argv[3] ?? 50);
const rounds = Number(process.argv[4] ?? 100);
const DAY = 86_400_000;
const start = Math.floor(Date.now() / DAY) * DAY;
/** Flights of each pilot in the last two years. */
const flown = 40;

const id = <Kind extends string>(kind: number, n: number) =>
  `01890a5d-ac96-774b-8${String(kind).padStart(3, "0")}-${String(n).padStart(12, "0")}` as Id<Kind>;
const plane = (n: number) => id<"aircraft">(1, n);
const person = (n: number) => id<"person">(2, n);
const at = (time: number): Instant => toInstant(new Date(time));
const on = (days: number) => new Date(start + days * DAY).toISOString().slice(0, 10);
const each = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const port = freePort();
const url = `http://127.0.0.1:${port}`;
const columns = ["median, ms", "p99, ms", "longest, ms", "processor, ms", "JSON, kB"];
let server = await startServer(port, directory);
try {
  const { orgId, token } = await signUp();
  await server.stop();
  console.log(`Load average: ${loadavg().map((load) => load.toFixed(1))}`);
  console.log(`| of ${many} people and ${planes} aircraft | ${columns.join(" | ")} |`);
  console.log(`| --- ${columns.map(() => "| --- ").join("")}|`);
  const log = { ...console, warn: () => undefined };
  const storage = await openStorage({ directory, clock: systemClock, log, nextWake: async () => at(start) });
  await storage.tenants.tenant(orgId).write(seed);
  await inProcess(storage.tenants.tenant(orgId));
  await storage.close();
  server = await startServer(port, directory);
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
    const response = await fetch(`${url}/orgs/${orgId}/${path}`, { headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    return body;
  };
  const time = () => processorTime(server.pid);
  await measure("a request: as PIC", () => ask(`clearance/matrix?at=${at(start)}`), time);
  const asPilots = `clearance/matrix?at=${at(start)}&type=pilot`;
  await measure("… of the pilots, as the console asks first", () => ask(asPilots), time);
  await measure("… what is required", () => ask("compliance/matrix"), time);
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}

async function signUp(): Promise<{ orgId: OrgId; token: string }> {
  const account = { email: "olga@bench.example", password: "correct horse battery", name: "Olga Lindner" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ ...account, organization });
  const { data } = await (await fetch(`${url}/auth/signup-org`, { method: "POST", headers, body })).json();
  return { orgId: data.organization.id, token: data.tokens.access_token };
}

async function inProcess(file: Store<"tenant">): Promise<void> {
  const actor: MemberActor = {
    ...{ kind: "user", userId: id(9, 1), sessionId: id(9, 2), orgId: id(9, 3), email: "ada@example.com", name: "Ada" },
    permissions: new Set(permissions),
  };
  const asked = { type: undefined, class: undefined, limit: 500, cursor: undefined, minutes: 60, at: at(start) };
  const matrix = (more: object) =>
    file.read(
      async (reader) =>
        (await askMatrix(reader, actor, { ...asked, function: "pic", passengers: 0, night: false, ...more })).text,
    );
  const atNight = { passengers: 2, night: true };
  await measure("who may fly what, as PIC", () => matrix({}));
  await measure("… with passengers, at night", () => matrix(atNight));
  // What was found about people is kept: of another day, all is found anew.
  const onAnotherDay = (n: number) => ({ at: at(start - n * DAY) });
  await measure("… as PIC, of another day each time", (n) => matrix(onAnotherDay(n)));
  await measure("… with passengers, at night, of another day each time", (n) =>
    matrix({ ...atNight, ...onAnotherDay(n) }),
  );
  await measure("… of 50 people", () => matrix({ limit: 50 }));
  await measure("one pair", (n) =>
    file.read(async (reader) =>
      JSON.stringify(
        await askClearance(reader, actor, {
          ...{ aircraft_id: plane(n % planes), person_id: person(n % many), function: "pic" },
          ...{ at: at(start), minutes: 60, passengers: 0, night: false },
        }),
      ),
    ),
  );
  const rows = { type: undefined, limit: 500, cursor: undefined };
  await measure("who meets what is required", () =>
    file.read(async (reader) => JSON.stringify(await readMatrix(reader, actor, rows, new Date(start)))),
  );
}

/** The processor's time tells more than the clock while the machine does other work. It has that of the garbage collector. */
async function measure(
  name: string,
  work: (n: number) => Promise<string>,
  spent: () => number | Promise<number> = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000,
): Promise<void> {
  const times: number[] = [];
  let length = 0;
  for (let n = 0; n < 20; n += 1) await work(n); // the first ones compile
  const before = await spent();
  for (let n = 0; n < rounds; n += 1) {
    const begin = performance.now();
    length = (await work(n)).length;
    times.push(performance.now() - begin);
  }
  const processor = ((await spent()) - before) / rounds;
  times.sort((one, other) => one - other);
  const part = (share: number) => (times[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0).toFixed(1);
  const cells = [part(0.5), part(0.99), part(1), processor.toFixed(1), Math.round(length / 1000)];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

/** Half of the people are students, the others pilots with licences, of whom some are instructors, and each eighth has an LAPL. */
async function seed(tx: Tx<"tenant">): Promise<void> {
  const now = at(start - 800 * DAY);
  const value = sql.placeholder;
  const classes = ["SEP", "SEP", "SEP", "TMG", "MEP"];
  await tx.each(
    sql`insert into aircraft (id, registration, model, icao_type, class, billing_basis, status, hobbs, tacho, airframe_minutes,
          opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
        values (${value("id")}, ${value("name")}, 'Cessna 172S', 'C172', ${value("class")}, 'block', 'available', 0, 0, 0, 0, 0, 0, ${now}, ${now})`,
    each(planes, (n) => ({ id: plane(n), name: `D-E${String(n).padStart(3, "0")}`, class: classes[n % 5] ?? "SEP" })),
  );
  await tx.each(
    sql`insert into people (id, name, status, types, ratings, date_of_birth, restricted_instructor, receives_mails, created_at, updated_at)
        values (${value("id")}, ${value("name")}, 'active', ${value("types")}, '[]', '1980-05-05', 0, 1, ${now}, ${now})`,
    each(many, (n) => ({ id: person(n), name: `Person ${String(n).padStart(4, "0")}`, types: typesOf(n) })),
  );
  const record = sql`insert into compliance_records (id, person_id, aircraft_id, type, level, issued_on, valid_until, status,
      entered_by_mistake, created_by, created_at, updated_at)
    values (${value("id")}, ${value("person")}, ${value("plane")}, ${value("type")}, ${value("level")}, ${value("from")}, ${value("until")},
      'current', 0, ${id(9, 1)}, ${now}, ${now})`;
  const held = each(many, (n) =>
    recordsOf(n).map(([type, level, until]) => ({ person: person(n), plane: null, type, level, until })),
  );
  const papers = each(planes, (n) =>
    ["arc", "insurance", "cofa", "radio_licence"].map((type) => ({
      person: null,
      plane: plane(n),
      type,
      level: null,
      until: on(100),
    })),
  );
  await tx.each(
    record,
    [...held, ...papers].flat().map((one, n) => ({ id: id(3, n), from: on(-300), ...one })),
  );
  await tx.each(
    sql`insert into maintenance_items (id, aircraft_id, name, critical, hours_counter, interval_hours, interval_months, tolerance_hours,
          tolerance_months, tolerance_days, tolerance_landings, upcoming_hours, upcoming_days, upcoming_landings, last_done_on,
          last_done_airframe_minutes, status, past_tolerance, created_at, updated_at)
        values (${value("id")}, ${value("plane")}, ${value("name")}, 1, 'airframe', 10000, 12, 1000, 1, 0, 0, 1000, 30, 20, ${on(-100)}, 0, 'ok', 0, ${now}, ${now})`,
    each(planes * 10, (n) => ({ id: id(4, n), plane: plane(n % planes), name: `Item ${n}` })),
  );
  const pilots = each(many, (n) => n).filter((n) => n % 2 === 1);
  const flights = pilots.flatMap((n) => each(flown, (k) => ({ n, k, begin: start - (k * 17 + 3) * DAY })));
  await tx.each(
    sql`insert into flights (id, status, revision, aircraft_id, off_block_at, on_block_at, day_landings, night_landings, night_minutes,
          ifr_minutes, warnings, created_by, created_at, updated_at)
        values (${value("id")}, 'approved', 1, ${value("plane")}, ${value("off")}, ${value("on")}, 3, 0, 0, 0, '[]', ${id(9, 1)}, ${now}, ${now})`,
    flights.map(({ n, k, begin }) => ({
      id: id(5, n * 100 + k),
      plane: plane(n % planes),
      off: at(begin),
      on: at(begin + 3_600_000),
    })),
  );
  await tx.each(
    sql`insert into flight_crew (flight_id, position, person_id, function, logged_at, logged_minutes, off_block_at, status, aircraft_id,
          day_landings, night_landings)
        values (${value("id")}, 0, ${value("person")}, 'pic', ${value("off")}, 60, ${value("off")}, 'approved', ${value("plane")}, 3, 0)`,
    flights.map(({ n, k, begin }) => ({
      id: id(5, n * 100 + k),
      person: person(n),
      plane: plane(n % planes),
      off: at(begin),
    })),
  );
}

function typesOf(n: number): string {
  if (n % 2 === 0) return '["student"]';
  return n % 10 === 1 ? '["pilot","instructor"]' : '["pilot"]';
}

type Held = [type: string, level: string | null, until: string | null];

function recordsOf(n: number): Held[] {
  const medical: Held = ["medical", n % 3 === 0 ? "lapl" : "class_2", on((n % 50) - 5)];
  if (n % 2 === 0) return [medical];
  const ratings: Held[] = [
    ["sep", null, on((n % 40) - 2)],
    ["tmg", null, on(300)],
    ["mep", null, on(200)],
    ["night", null, null],
    ["elp", "4", on(900)],
    ["radio", null, null],
  ];
  return [
    medical,
    ["licence", n % 8 === 1 ? "lapl" : "ppl", null],
    ...ratings,
    ...(n % 10 === 1 ? [["fi", null, on(400)] as Held] : []),
  ];
}
