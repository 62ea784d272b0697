/**
 * From the commit of an approval to the first byte of its webhook at the receiver, while flights are approved at a steady
 * pace through the API: in the first second, whose code is cold, and later. And the longest turn of the event loop, in which the
 * server answers nobody.
 *
 *   bun scripts/bench/latency.ts [flights=1000] [a second=100]
 */
import { systemClock } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { createDispatcher } from "../../src/events/dispatcher.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { newInstallation } from "../../test/support/installation.ts";
import { newSchool } from "../../test/support/school.ts";
import { addEndpoint, now, printTable, quantile, startReceiver } from "./post-office.ts";
import { RealClock } from "./real-clock.ts";

const [flights, pace] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 100)];

const receiver = await startReceiver();
const send = receiver.sender({ keepsAnswers: true });
let lastCommit = 0;
const commits: number[] = [];
const installation = await newInstallation({
  clock: new RealClock(),
  checked: false,
  trace: (step) => {
    if (step === "tenant: committed") lastCommit = now();
  },
  onDue: (orgId, changed) => {
    commits.push(lastCommit); // called right after the commit that made something due
    dispatcher.wake(orgId, changed);
  },
});
/** By event; ids sort by time. */
const arrivals = new Map<string, number>();
const timed: Send = async (outgoing) => {
  const outcome = await send(outgoing);
  arrivals.set(JSON.parse(outgoing.body).event.id, Number(outcome.headers?.["x-arrived"]));
  return outcome;
};
const { tenants } = installation.storage;
const log = { warn: console.error, error: console.error };
const dispatcher = createDispatcher({
  tenant: (id) => tenants.tenant(id),
  wakeUps: async () => [],
  clock: systemClock,
  send: timed,
  log,
});

try {
  const school = await newSchool(installation);
  if (!isId<"organization">(school.orgId)) throw new Error("This is no id.");
  await addEndpoint(tenants.tenant(school.orgId), `${receiver.url}/`, "flight.approved");
  const ids: string[] = [];
  for (let count = 0; count < flights; count++) ids.push((await school.submitFlight(school.student)).id);
  await dispatcher.start();
  commits.length = 0;

  const turns = { first: 0, later: 0 };
  const began = performance.now();
  let last = began;
  const watch = setInterval(() => {
    const at = performance.now();
    const part = at - began < 1000 ? "first" : "later";
    turns[part] = Math.max(turns[part], at - last);
    last = at;
  }, 1);
  const approvals: Promise<Response>[] = [];
  for (const [index, id] of ids.entries()) {
    const wait = began + (index * 1000) / pace - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    const headers = { authorization: `Bearer ${school.instructor.token}` };
    const url = `http://localhost/orgs/${school.orgId}/flights/${id}/approve`;
    approvals.push(Promise.resolve(installation.app.handle(new Request(url, { method: "POST", headers }))));
  }
  const answers = await Promise.all(approvals);
  clearInterval(watch);
  const reached = flights / ((performance.now() - began) / 1000);
  const refused = answers.find(({ ok }) => !ok);
  if (refused !== undefined) throw new Error(`An approval was refused: ${await refused.text()}`);
  while (arrivals.size < flights) await Bun.sleep(5);
  await dispatcher.stop(1000);

  const latencies = [...arrivals.keys()].sort().map((id, index) => (arrivals.get(id) ?? 0) - (commits[index] ?? 0));
  const row = (name: string, some: readonly number[], turn: number) => [
    name,
    some.length,
    ...[0.5, 0.99, 1].map((share) => quantile(some, share).toFixed(2)),
    turn.toFixed(1),
  ];
  printTable(
    [`${reached.toFixed(0)} approved a second`, "flights", "median, ms", "p99, ms", "longest, ms", "longest turn, ms"],
    [row("the first second", latencies.slice(0, pace), turns.first), row("later", latencies.slice(pace), turns.later)],
  );
} finally {
  await installation.close();
  send.close();
  receiver.close();
}
process.exit();
