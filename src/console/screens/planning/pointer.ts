/**
 * Dragging, by mouse and by touch. A finger that moves scrolls; one that is held takes a booking, or begins a new one. What is dragged
 * lies in a draft: the rows are not drawn anew.
 */
import type { PlanningSession } from "../../api/operations.ts";
import { type Draft, type Drafts, quarter, snapped } from "./drafts.ts";
import type { Row } from "./rows.ts";
import type { Scale } from "./scale.ts";

export interface Hands {
  scale: Scale;
  rows: ReadonlyMap<string, Row>;
  drafts: Drafts;
  mayMove(session: PlanningSession): boolean;
  mayBook: boolean;
  /** Somebody let go of a draft. */
  finish(draft: Draft): void;
}

type How = "move" | "start" | "end" | "new";

interface Grab {
  pointer: number;
  x: number;
  y: number;
  /** Where it is now. */
  at: { x: number; y: number };
  /** Where it was when it last moved by more than it may tremble. */
  moved: { x: number; y: number };
  how: How;
  row: Row;
  session: PlanningSession | undefined;
  /** Where the rows begin, and how wide they are, when it was taken. */
  left: number;
  width: number;
  scrolled: { left: number; top: number };
  isLifted: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Where the times of rows are in sight. It is not measured while something follows the pointer: that would lay out the page for each step. */
  edges: { left: number; right: number; top: number; bottom: number };
  /** How far the board scrolls. */
  most: { left: number; top: number };
  /** Rows of the same kind, where it may be dropped. */
  targets: readonly { row: Row; top: number; bottom: number }[];
}

/** Milliseconds that a finger is held, and pixels that it may tremble. */
const hold = 400;
const tremble = 6;
/** Near its edge the board scrolls along, so many pixels a frame. */
const edge = 36;
const step = 4;

/** @param hands what is on the board now @returns ends it */
export function followPointer(board: HTMLElement, hands: () => Hands): () => void {
  let grab: Grab | undefined;
  /** A drag ends with a click, which opens nothing. */
  let wasDragged = false;

  const scrolled = { left: 0, top: 0 };
  const noteScrolled = () => {
    scrolled.left = board.scrollLeft;
    scrolled.top = board.scrollTop;
  };
  const onScroll = () => {
    noteScrolled();
    if (grab?.isLifted) drag(grab);
  };

  const take = (event: PointerEvent) => {
    wasDragged = false;
    const found = event.button === 0 && event.isPrimary ? whatIsAt(event.target, hands()) : undefined;
    if (!found) return;
    const { row, track, bar, session } = found;
    if (session ? !hands().mayMove(session) : !hands().mayBook || row.type === "none") return;
    const { left, width } = track.getBoundingClientRect();
    const isTouch = event.pointerType === "touch";
    noteScrolled();
    grab = {
      ...{ pointer: event.pointerId, x: event.clientX, y: event.clientY, row, session, left, width },
      at: { x: event.clientX, y: event.clientY },
      moved: { x: event.clientX, y: event.clientY },
      how: bar ? howAt(bar, event.clientX, isTouch) : "new",
      scrolled: { ...scrolled },
      edges: edgesOf(track),
      most: { left: board.scrollWidth - board.clientWidth, top: board.scrollHeight - board.clientHeight },
      targets: targetsOf(row),
      ...{ isLifted: false, timer: isTouch ? setTimeout(lift, hold) : undefined },
    };
  };

  /** Beside the names. */
  const edgesOf = (track: HTMLElement): Grab["edges"] => {
    const { right, top, bottom } = board.getBoundingClientRect();
    return { left: track.previousElementSibling?.getBoundingClientRect().right ?? 0, right, top, bottom };
  };

  const targetsOf = ({ type }: Row): Grab["targets"] =>
    [...board.querySelectorAll<HTMLElement>("[data-row]")].flatMap((track) => {
      const row = hands().rows.get(track.dataset.row ?? "");
      if (row?.type !== type) return [];
      const { top, bottom } = track.getBoundingClientRect();
      return [{ row, top, bottom }];
    });

  const lift = () => {
    if (!grab) return;
    grab.isLifted = true;
    wasDragged = true;
    board.setPointerCapture(grab.pointer);
    drag(grab);
  };

  const drag = (of: Grab) => {
    const { scale, drafts } = hands();
    const share = (of.at.x - of.left + scrolled.left - of.scrolled.left) / of.width;
    const at = { share, y: of.at.y + scrolled.top - of.scrolled.top };
    if (Math.hypot(of.at.x - of.moved.x, of.at.y - of.moved.y) >= tremble) {
      of.moved = of.at;
      drafts.moved();
    }
    drafts.set(draftAt(of, scale, at, (of.x - of.left) / of.width));
    scrollAlong(of);
  };

  const move = (event: PointerEvent) => {
    if (grab?.pointer !== event.pointerId) return;
    if (!grab.isLifted) {
      if (Math.hypot(event.clientX - grab.x, event.clientY - grab.y) < tremble) return;
      if (grab.timer !== undefined) return letGo();
      lift();
    }
    grab.at = { x: event.clientX, y: event.clientY };
    drag(grab);
  };

  /**
   * Each step is an event, after which comes the next: as long as it is held there. Where it was taken nothing scrolls. The board is not
   * asked where it is, nor told to scroll where it ends: for either the page is laid out.
   */
  const scrollAlong = ({ x, y, at, edges: { left, right, top, bottom }, most }: Grab) => {
    const toRight = at.x > right - edge && at.x > x + tremble;
    const toLeft = at.x < left + edge && at.x < x - tremble;
    const toBottom = at.y > bottom - edge && at.y > y + tremble;
    const toTop = at.y < top + edge * 2 && at.y < y - tremble;
    if (toRight && scrolled.left < most.left) board.scrollLeft = scrolled.left + step;
    else if (toLeft && scrolled.left > 0) board.scrollLeft = scrolled.left - step;
    if (toBottom && scrolled.top < most.top) board.scrollTop = scrolled.top + step;
    else if (toTop && scrolled.top > 0) board.scrollTop = scrolled.top - step;
  };

  const letGo = () => {
    clearTimeout(grab?.timer);
    grab = undefined;
  };

  const end = (event: PointerEvent) => {
    if (grab?.pointer !== event.pointerId) return;
    const draft = hands().drafts.draft.peek();
    const { isLifted } = grab;
    letGo();
    if (isLifted && draft) hands().finish(draft);
  };

  const cancel = (event: PointerEvent) => {
    if (grab?.pointer !== event.pointerId) return;
    if (grab.isLifted) hands().drafts.clear();
    letGo();
  };

  /** A click on a gap is an hour in it. */
  const click = (event: MouseEvent) => {
    if (wasDragged) {
      event.preventDefault();
      event.stopPropagation();
      wasDragged = false;
      return;
    }
    const { scale, mayBook, finish, ...rest } = hands();
    const found = whatIsAt(event.target, { ...rest, scale, mayBook, finish });
    if (!found || found.bar || !mayBook || found.row.type === "none") return;
    const { left, width } = found.track.getBoundingClientRect();
    finish(gapAt(found.row, scale.timeAt((event.clientX - left) / width)));
  };

  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !grab?.isLifted) return;
    hands().drafts.clear();
    letGo();
  };

  /** A held finger drags, and does not scroll. */
  const touch = (event: TouchEvent) => {
    if (grab?.isLifted && event.cancelable) event.preventDefault();
  };
  const menu = (event: Event) => {
    if (grab) event.preventDefault();
  };

  const ending = new AbortController();
  const { signal } = ending;
  board.addEventListener("pointerdown", take, { signal });
  board.addEventListener("pointermove", move, { signal });
  board.addEventListener("scroll", onScroll, { signal });
  board.addEventListener("pointerup", end, { signal });
  board.addEventListener("pointercancel", cancel, { signal });
  board.addEventListener("click", click, { signal, capture: true });
  board.addEventListener("touchmove", touch, { signal, passive: false });
  board.addEventListener("contextmenu", menu, { signal });
  addEventListener("keydown", onEscape, { signal });
  return () => {
    ending.abort();
    letGo();
  };
}

function whatIsAt(target: EventTarget | null, { rows }: Hands) {
  if (!(target instanceof Element)) return undefined;
  const track = target.closest<HTMLElement>("[data-row]");
  const row = track && rows.get(track.dataset.row ?? "");
  if (!row) return undefined;
  const bar = target.closest<HTMLElement>("[data-session]");
  const session = row.bars.find((one) => one.session.id === bar?.dataset.session)?.session;
  return { track, row, bar, session };
}

/** At its ends a bar is stretched. */
function howAt(bar: HTMLElement, x: number, isTouch: boolean): How {
  const { left, right, width } = bar.getBoundingClientRect();
  const grip = Math.min(isTouch ? 18 : 8, width / 4);
  if (x < left + grip) return "start";
  return x > right - grip ? "end" : "move";
}

function draftAt(
  { how, row, session, targets }: Grab,
  scale: Scale,
  at: { share: number; y: number },
  began: number,
): Draft {
  if (!session) {
    const anchor = snapped(scale.timeAt(began));
    const other = snapped(scale.timeAt(at.share));
    const [start, end] = other < anchor ? [other, anchor] : [anchor, Math.max(other, anchor + quarter)];
    return { session, from: row, row, start, end };
  }
  const [start, end] = [Date.parse(session.start_at), Date.parse(session.end_at)];
  const by = scale.timeAt(at.share) - scale.timeAt(began);
  // Back where it was taken, a booking is as it was, also one that begins or ends between quarters of an hour.
  const dragged = (time: number) => (Math.abs(by) < quarter / 2 ? time : snapped(time + by));
  if (how === "start") return { session, from: row, row, start: Math.min(dragged(start), end - quarter), end };
  if (how === "end") return { session, from: row, row, start, end: Math.max(dragged(end), start + quarter) };
  const moved = dragged(start);
  const target = targets.find(({ top, bottom }) => top <= at.y && at.y < bottom)?.row ?? row;
  return { session, from: row, row: target, start: moved, end: moved + end - start };
}

/** An hour at a place, or less if something is before or after it. */
export function gapAt(row: Row, at: number): Draft {
  const before = Math.max(0, ...row.bars.filter(({ end }) => end <= at).map(({ end }) => end));
  const after = Math.min(...row.bars.filter(({ start }) => start > at).map(({ start }) => start));
  const half = Math.floor(at / (2 * quarter)) * 2 * quarter;
  const start = Math.max(half, before);
  return {
    session: undefined,
    from: row,
    row,
    start,
    end: Math.max(start + quarter, Math.min(start + 4 * quarter, after)),
  };
}
