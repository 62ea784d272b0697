/**
 * From the commit of an approval to the first byte of its webhook at the receiver, while flights are approved at a steady
 * pace through the API.
 *
 *   bun scripts/bench/latency.ts [flights=1000] [a second=100]
 */
import { systemClock } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { createDispatcher } from "../../src/events/dispatcher.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { TestClock } from "../../test/support/clock.ts";
import { newInstallation } from "../../test/support/installation.ts";
import { newSchool } from "../../test/support/school.ts";
import { addEndpoint, now, printTable, quantile, startReceiver } from "./post-office.ts";

const [flights, pace] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 100)];

/** The real time, for an installation that expects a clock to move. */
class RealClock extends TestClock {
  override now(): Date {
    return new Date();
  }
}

const receiver = await startReceiver();
const send = receiver.sender({ keepsAnswers: true });
let lastCommit = 0;
const commits: number[] = [];
const installation = await newInstallation({
  clock: new RealClock(),
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

  const began = performance.now();
  const approvals: Promise<Response>[] = [];
  for (const [index, id] of ids.entries()) {
    const wait = began + (index * 1000) / pace - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    const headers = { authorization: `Bearer ${school.instructor.token}` };
    const url = `http://localhost/orgs/${school.orgId}/flights/${id}/approve`;
    approvals.push(Promise.resolve(installation.app.handle(new Request(url, { method: "POST", headers }))));
  }
  const answers = await Promise.all(approvals);
  const reached = flights / ((performance.now() - began) / 1000);
  const refused = answers.find(({ ok }) => !ok);
  if (refused !== undefined) throw new Error(`An approval was refused: ${await refused.text()}`);
  while (arrivals.size < flights) await Bun.sleep(5);
  await dispatcher.stop(1000);

  const latencies = [...arrivals.keys()].sort().map((id, index) => (arrivals.get(id) ?? 0) - (commits[index] ?? 0));
  const ms = (share: number) => quantile(latencies, share).toFixed(2);
  printTable(
    ["flights", "approved a second", "median, ms", "p99, ms", "longest, ms"],
    [[flights, reached.toFixed(0), ms(0.5), ms(0.99), ms(1)]],
  );
} finally {
  await installation.close();
  send.close();
  receiver.close();
}
process.exit();
