/** Milliseconds without a move after which a hand rests, and those after which nobody waits for that any longer. */
const rest = 200;
const most = 1000;

/**
 * Runs something once a hand rests: after two frames at the earliest, in the time that is left until the next.
 *
 * @param movedAt when it last moved, by `performance.now()`
 * @returns takes it back
 */
export function atRest(movedAt: () => number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const since = performance.now();
  const look = () => {
    const now = performance.now();
    if (now - movedAt() < rest && now - since < most) frame = requestAnimationFrame(look);
    else timer = setTimeout(run);
  };
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(look);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
