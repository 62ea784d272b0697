/** Limits of time. A busy machine takes longer for the same work, and no test fails for that. */
import { availableParallelism, loadavg } from "node:os";
import process from "node:process";

/** Milliseconds that something may take here and now, if it may take so many on a machine that does nothing else. */
export const stretched = (milliseconds: number): number =>
  milliseconds * (1 + (loadavg()[0] ?? 0) / availableParallelism());

/** A stopwatch of the processor that this thread uses, in milliseconds: it stands still while others have the machine. */
export function startProcessorWatch(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  };
}
