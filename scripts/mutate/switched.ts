import type { Fault } from "./faults.ts";
import { withImport } from "./faults.ts";

/** A fault with the number by which it is switched on. */
export type Numbered = Fault & { id: number };

/**
 * Plants many faults in a file at once, each of which does something only while it is switched on: `player.ts` does so for one test at
 * a time, in a process that keeps its modules. The first of two faults that overlap stays, and a comparison in SQL that no parameter
 * can take the place of is left out.
 *
 * @returns the text, and the faults that are in it
 */
export function switchable(text: string, faults: readonly Numbered[]): { text: string; planted: Numbered[] } {
  const planted: Numbered[] = [];
  for (const fault of faults) {
    const isApart = planted.every(
      ({ around: other }) => other.end <= fault.around.start || fault.around.end <= other.start,
    );
    if (isApart && fault.form !== "fixed") planted.push(fault);
  }
  let switched = text;
  for (const fault of [...planted].sort((one, other) => other.start - one.start)) {
    const { around } = fault;
    switched = switched.slice(0, around.start) + switchOf(text, fault) + switched.slice(around.end);
  }
  return { text: planted.reduce(withImport, switched), planted };
}

function switchOf(text: string, { id, form, around, start, end, by }: Numbered): string {
  const whole = text.slice(around.start, around.end);
  const faulty = text.slice(around.start, start) + by + text.slice(end, around.end);
  const isOn = `globalThis.isFaulty?.(${id})`;
  switch (form) {
    case "statement":
      return `if (!${isOn}) { ${whole} }`;
    case "arguments":
      return `...(${isOn} ? [${faulty}] : [${whole}])`;
    case "sql":
      return `\${sql.raw(${isOn} ? ${JSON.stringify(faulty)} : ${JSON.stringify(whole)})}`;
    default:
      return `(${isOn} ? ${faulty} : ${whole})`;
  }
}
