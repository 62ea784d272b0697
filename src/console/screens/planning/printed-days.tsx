/** The plan on paper: for each day a table whose head, with the date and the hours, is on each sheet. It is made when it is printed. */
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PlanningBoard } from "../../api/operations.ts";
import { PrintedDay } from "./printed-day.tsx";
import type { Row } from "./rows.ts";
import type { Position } from "./sun.ts";

export interface PrintedDaysProps {
  days: readonly string[];
  rows: readonly Row[];
  reasons: ReadonlyMap<string, readonly string[]>;
  board: PlanningBoard;
  position: Position | null;
}

export function PrintedDays(props: PrintedDaysProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const shown = useRef(props);
  shown.current = props;
  useLayoutEffect(() => {
    const { current } = sheet;
    if (!current) return;
    const print = () => {
      const { days, ...rest } = shown.current;
      render(
        days.map((day) => <PrintedDay key={day} day={day} {...rest} />),
        current,
      );
    };
    const clear = () => render(null, current);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", clear);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", clear);
      clear();
    };
  }, []);
  return <div ref={sheet} class="printed" />;
}
