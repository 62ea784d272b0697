/** What is being dragged, drawn over the rows. Only it follows the pointer. */
import { computed, effect, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatTime } from "../../app/format.ts";
import type { Drafts } from "./drafts.ts";
import { keyOf, type Row, type RowRef } from "./rows.ts";
import { percent, type Scale } from "./scale.ts";
import { still } from "./still.ts";
import { toneOf } from "./verdict.tsx";

interface GhostProps {
  drafts: Drafts;
  scale: Scale;
  /** A ghost that is held is placed anew when they change: they may be higher then. */
  rows: readonly Row[];
  body: { current: HTMLElement | null };
}

/**
 * Its parts have layers of their own, which are there before something is dragged: to make one takes longer than a frame. Only their transforms
 * follow, and nothing is rendered, laid out or painted. These and what shows and hides are of animations that stand still: Chromium then
 * changes the layer alone, and else makes all layers of the page anew.
 */
export function Ghost({ drafts, scale, rows, body }: GhostProps) {
  const track = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (track.current && body.current) return follow(drafts, { scale, rows, track: track.current, body: body.current });
  }, [drafts, scale, rows, body]);
  return (
    <div class="ghost-track" aria-hidden="true" ref={track}>
      {/* One for each row that a session may be on: of its aircraft, its instructor and its room. */}
      <div class="ghost-veil" />
      <div class="ghost-veil" />
      <div class="ghost-veil" />
      <div class="ghost-lane">
        <div class="ghost" />
        <div class="ghost-end" />
        <div class="ghost-times">
          <Times of={drafts.written} scale={scale} />
        </div>
      </div>
    </div>
  );
}

interface Drawn {
  scale: Scale;
  rows: readonly Row[];
  track: HTMLElement;
  body: HTMLElement;
}

/** Places the ghost where the draft is, and veils over the bars of what was taken. @returns ends it */
function follow({ draft, written, preview }: Drafts, { scale, rows, track, body }: Drawn): () => void {
  const stillOf = (selector: string, first: Keyframe) =>
    [...track.querySelectorAll(selector)].map((part) => still(part, first));
  const lane = track.querySelector(".ghost-lane");
  const [[whole], [span], [edge]] = [
    stillOf(".ghost-lane", hidden),
    stillOf(".ghost", hidden),
    stillOf(".ghost-end", hidden),
  ];
  const veils = stillOf(".ghost-veil", hidden);
  const [tag] = stillOf(".ghost-times > span", { opacity: 0 });
  const taken = computed(() => written.value?.session?.id);
  const tone = computed(() => toneOf(preview.value));
  const tops = new Map<string, number>();
  const topOf = (row: RowRef): number => {
    const key = keyOf(row);
    const top = tops.get(key) ?? body.querySelector(`[data-row="${key}"]`)?.parentElement?.offsetTop ?? 0;
    tops.set(key, top);
    return top;
  };
  // Before something follows the pointer: then the page would be laid out for each row that it comes to.
  const measure = () => {
    tops.clear();
    for (const row of rows) topOf(row);
  };
  body.addEventListener("pointerdown", measure);
  const ends = [
    effect(() => {
      if (lane) lane.className = `ghost-lane ${tone.value}`;
    }),
    effect(() => {
      lane?.toggleAttribute("data-held", draft.value !== undefined);
      if (!draft.value) {
        tops.clear();
        whole?.be(hidden);
        return;
      }
      const { row, start, end } = draft.value;
      const from = scale.shareOf(start);
      const length = scale.shareOf(end) - from;
      whole?.be({ transform: `translate(${percent(from)}, ${topOf(row)}px)` });
      span?.be({ transform: `scaleX(${length})` });
      edge?.be({ transform: `translateX(${percent(length)})` });
    }),
    effect(() => tag?.be({ opacity: written.value ? 1 : 0 })),
    effect(() => {
      const places = taken.value === undefined ? [] : placesOf(taken.value, { rows, scale, topOf });
      for (const [n, veil] of veils.entries()) veil.be(places[n] ?? hidden);
    }),
    () => body.removeEventListener("pointerdown", measure),
    ...[whole, span, edge, tag, ...veils].map((one) => () => one?.end()),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Beside the track, which keeps what is in it. */
const hidden = { transform: "translateX(-100%)" };

interface Placed {
  rows: readonly Row[];
  scale: Scale;
  topOf(row: RowRef): number;
}

/** Where the bars of a session are: one in each of its rows. */
const placesOf = (id: string, { rows, scale, topOf }: Placed): Keyframe[] =>
  rows.flatMap((row) =>
    row.bars
      .filter(({ session }) => session.id === id)
      .map(({ start, end, lane }) => {
        const from = scale.shareOf(start);
        const top = `calc(${topOf(row)}px + ${lane} * var(--lane-size))`;
        return { transform: `translate(${percent(from)}, ${top}) scaleX(${scale.shareOf(end) - from})` };
      }),
  );

/** The tag is there from the start, like the layers: to shape and paint the first one takes longer than a frame. It shows once something is written. */
function Times({ of, scale }: { of: Drafts["written"]; scale: Scale }) {
  const words = useComputed(() => {
    const { start, end } = of.value ?? { start: scale.timeAt(0), end: scale.timeAt(1) };
    return `${formatTime(iso(start))}–${formatTime(iso(end))}`;
  });
  return <span>{words}</span>;
}

const iso = (at: number): string => new Date(at).toISOString();
