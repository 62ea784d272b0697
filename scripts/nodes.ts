/**
 * Two nodes behind HAProxy on one libSQL server, with eight clients, while nodes are killed and stopped, the server is killed and the
 * network is cut: `bun scripts/nodes.ts [minutes=10]`. Needs HAProxy (`apt-get install haproxy`). Prints what it found, and exits with
 * 1 if something that was acknowledged is lost or doubled, or not told with one UUID.
 */
import process from "node:process";
import { endProcesses } from "../test/runtime/processes.ts";
import { disturbances, rush } from "../test/storage/server/rush.ts";

const minutes = Number(process.argv[2] ?? 10);

try {
  const report = await rush({
    disturbances,
    pause: 5000,
    longest: minutes * 60_000,
    clients: 8,
    haproxy: process.env.HAPROXY ?? "/usr/sbin/haproxy",
    onDisturbance: (what, gap) => console.log(`${what}: ${gap} ms without an acknowledged write`),
  });
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.faults.length + report.deliveries.faults.length > 0 ? 1 : 0;
} finally {
  await endProcesses();
}
