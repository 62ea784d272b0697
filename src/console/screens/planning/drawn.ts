/**
 * The rows in sight get their bars first, and those below them when these are on the screen: what is looked at is there in half of the
 * time.
 */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Row } from "./rows.ts";

/** Pixels above and below the rows at least, and those of a row without its lanes, and of a lane. */
const size = { around: 260, row: 9, lane: 36 };

/** Rows that are drawn at once after that: in between the browser takes what the user does. */
const step = 4;

/** @param onDrawn more rows have their bars @returns how many rows have them */
export function useDrawn(rows: readonly Row[], onDrawn: () => void): Signal<number> {
  const drawn = useSignal(rowsInSight(rows));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const more = () => {
      onDrawn();
      if (drawn.value === Number.POSITIVE_INFINITY) return;
      // At the end also the rows that are added later.
      drawn.value = drawn.value + step < rows.length ? drawn.value + step : Number.POSITIVE_INFINITY;
      timer = setTimeout(more);
    };
    // The second frame from here on begins when the first one, with the rows in sight, is shown.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(more);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return drawn;
}

function rowsInSight(rows: readonly Row[]): number {
  let left = innerHeight - size.around;
  return rows.filter(({ lanes }) => {
    const isInSight = left > 0;
    left -= size.row + size.lane * lanes;
    return isInSight;
  }).length;
}
