/** Frames after which nobody waits any longer: a hand may tremble. */
const most = 60;

/**
 * Runs something once two frames are drawn in which nothing moved, in the time that is left until the next.
 *
 * @param moves how often something has moved so far
 * @returns takes it back
 */
export function atRest(moves: () => number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [frames, rested, seen] = [0, 0, moves()];
  const drawn = () => {
    frames += 1;
    rested = seen === moves() ? rested + 1 : 0;
    seen = moves();
    if (rested < 2 && frames < most) frame = requestAnimationFrame(drawn);
    else timer = setTimeout(run);
  };
  let frame = requestAnimationFrame(drawn);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
