/**
 * What endpoints that hang do to one that is well: from the commit of an event to its first byte at a healthy endpoint of
 * another organization, first alone, then beside endpoints that never answer and have a large backlog.
 *
 *   bun scripts/bench/fairness.ts [hanging=50] [backlog of each=10000] [organizations=1] [seconds=30]
 */
import { emitTo } from "../../src/events/emit.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import {
  addBacklog,
  addEndpoint,
  kibibyte,
  now,
  openOffice,
  printTable,
  quantile,
  startReceiver,
} from "./post-office.ts";

const [hanging = 50, each = 10_000, organizations = 1, duration = 30] = process.argv.slice(2).map(Number);
/** Events a second for the healthy endpoint. */
const pace = 20;

const receiver = await startReceiver();
const send = receiver.sender({ keepsAnswers: true });
const office = await openOffice();
const arrivals = new Map<string, number>();
const timed: Send = async (outgoing) => {
  const outcome = await send(outgoing);
  const arrived = outcome.headers?.["x-arrived"];
  if (arrived !== undefined) arrivals.set(JSON.parse(outgoing.body).event.id, Number(arrived));
  return outcome;
};

try {
  const well = await office.newSchool();
  const healthy = await addEndpoint(well, `${receiver.url}/`, "flight.approved");
  const dispatcher = office.dispatcher(timed);
  await dispatcher.start();

  /** @returns milliseconds from commit to first byte, of each event */
  const measure = async () => {
    const commits = new Map<string, number>();
    const began = performance.now();
    for (let index = 0; index < duration * pace; index++) {
      const wait = began + (index * 1000) / pace - performance.now();
      if (wait > 0) await Bun.sleep(wait);
      const { eventId } = await well.write((tx) => emitTo(tx, healthy, webhookTest, kibibyte));
      commits.set(eventId, now());
    }
    while ([...commits.keys()].some((id) => !arrivals.has(id))) await Bun.sleep(5);
    return [...commits].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at);
  };

  await measure(); // warms up
  const alone = await measure();
  const stuck = [];
  for (let index = 0; index < organizations; index++) {
    const tenant = await office.newSchool();
    for (let count = 0; count < hanging / organizations; count++) await addEndpoint(tenant, `${receiver.url}/hang`);
    stuck.push(tenant);
  }
  for (const tenant of stuck) await addBacklog(tenant, each);
  await Bun.sleep(2000);
  const { inFlight, slow } = dispatcher.stats();
  const beside = await measure();
  await dispatcher.stop(1000);

  const row = (name: string, figures: readonly number[]) => [
    name,
    figures.length,
    ...[0.5, 0.99, 1].map((share) => quantile(figures, share).toFixed(2)),
  ];
  printTable(
    ["healthy endpoint", "events", "median, ms", "p99, ms", "longest, ms"],
    [
      row("alone", alone),
      row(`beside ${hanging} that hang, in ${organizations}, ${each} waiting for each`, beside),
      ["p99, times", "", "", (quantile(beside, 0.99) / quantile(alone, 0.99)).toFixed(2), ""],
    ],
  );
  console.log(`\nunder way as the second measurement began: ${inFlight}, of them slow: ${slow}`);
} finally {
  await office.close();
  send.close();
  receiver.close();
}
process.exit();
