/** What is being dragged, drawn over the rows, and below the board what its booking would answer. Only they follow the pointer. */
import { computed, effect, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatTime } from "../../app/format.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { spanOf } from "../bookings/times.ts";
import { changeOf, type Draft, type Drafts } from "./drafts.ts";
import { keyOf, type Row } from "./rows.ts";
import { percent, type Scale } from "./scale.ts";
import { saidOf, Verdict } from "./verdict.tsx";
import { planningText } from "./words.ts";

const iso = (at: number): string => new Date(at).toISOString();

interface GhostProps {
  drafts: Drafts;
  scale: Scale;
  /** A ghost that is held is placed anew when they change: they may be higher then. */
  rows: readonly Row[];
  body: { current: HTMLElement | null };
}

/**
 * Its parts have layers of their own, which are there before something is dragged: to make one takes longer than a frame. Only their transforms
 * follow, and nothing is rendered, laid out or painted. They are those of animations that stand still: Chromium then moves the layer alone,
 * and else makes all layers of the page anew.
 */
export function Ghost({ drafts, scale, rows, body }: GhostProps) {
  const lane = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (lane.current && body.current) return follow(drafts, scale, { lane: lane.current, body: body.current });
  }, [drafts, scale, rows, body]);
  return (
    <div class="ghost-track" aria-hidden="true">
      <div class="ghost-lane" ref={lane}>
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
  lane: HTMLElement;
  body: HTMLElement;
}

/** Places the ghost where the draft is, and marks the bars of what was taken. @returns ends it */
function follow({ draft, written, preview }: Drafts, scale: Scale, { lane, body }: Drawn): () => void {
  const parts = [lane, ...lane.querySelectorAll(".ghost, .ghost-end")].map(placed);
  const [whole, span, edge] = parts;
  const lifted = computed(() => written.value?.session?.id);
  const tops = new Map<string, number>();
  const topOf = (key: string): number => {
    const top = tops.get(key) ?? body.querySelector(`[data-row="${key}"]`)?.parentElement?.offsetTop ?? 0;
    tops.set(key, top);
    return top;
  };
  const ends = [
    effect(() => {
      lane.className = `ghost-lane ${saidOf(preview.value, [])?.tone ?? "neutral"}`;
    }),
    effect(() => {
      lane.toggleAttribute("data-held", draft.value !== undefined);
      if (!draft.value) {
        tops.clear();
        whole?.at(hidden);
        return;
      }
      const { row, start, end } = draft.value;
      const from = scale.shareOf(start);
      const length = scale.shareOf(end) - from;
      whole?.at(`translate(${percent(from)}, ${topOf(keyOf(row))}px)`);
      span?.at(`scaleX(${length})`);
      edge?.at(`translateX(${percent(length)})`);
    }),
    effect(() => {
      if (lifted.value === undefined) return;
      const bars = body.querySelectorAll(`[data-session="${lifted.value}"]`);
      for (const bar of bars) bar.classList.add("lifted");
      return () => {
        for (const bar of bars) bar.classList.remove("lifted");
      };
    }),
    ...parts.map(({ end }) => end),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Beside the track, which keeps what is in it. */
const hidden = "translateX(-100%)";

/** Transforms an element by an animation that stands still. It does from the start: the first one makes all layers of the page anew. */
function placed(element: Element): { at(transform: string): void; end(): void } {
  const place = new KeyframeEffect(element, { transform: [hidden, hidden] }, 1000);
  const still = new Animation(place);
  still.pause();
  return {
    at: (transform) => place.setKeyframes({ transform: [transform, transform] }),
    end: () => still.cancel(),
  };
}

/** The tag is there from the start, like the layers: to shape and paint the first one takes longer than a frame. It shows once something is written. */
function Times({ of: { value }, scale }: { of: Drafts["written"]; scale: Scale }) {
  const [start, end] = value ? [value.start, value.end] : [scale.timeAt(0), scale.timeAt(1)];
  return <span data-written={value !== undefined}>{`${formatTime(iso(start))}–${formatTime(iso(end))}`}</span>;
}

interface TellProps {
  drafts: Drafts;
  rows: ReadonlyMap<string, Row>;
}

/** What letting go does to a booking. Without a preview it is where it was. */
const ofChange = { none: "leave", asking: "change", tried: "change", refused: "leave" } as const;

/** What was chosen, with what its booking would answer: when that is there, for a drag would be read out step by step, and the ghost shows it. */
export function Tell({ drafts: { draft, written, preview }, rows }: TellProps) {
  const status = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        // While it is asked, each step would write what the next one overwrites.
        if (preview.value.kind !== "asking" && status.current) state(status.current, draft.value);
      }),
    [draft, preview],
  );
  const isAsking = useComputed(() => preview.value.kind === "asking").value;
  const held = useComputed(() => written.value && (written.value.session ?? "new")).value;
  const wasAnswered = useRef(false);
  wasAnswered.current = held !== undefined && (wasAnswered.current || !isAsking);
  const session = held === "new" ? undefined : held;
  const next = planningText().whatNext[session ? ofChange[preview.value.kind] : "choose"];
  return (
    <div ref={status} class={wasAnswered.current ? "tell shown" : "tell"} role="status">
      {wasAnswered.current && (
        <>
          {!isAsking && <Chosen {...{ written, rows }} />}
          <Verdict preview={preview.value} named={[...rows.values(), ...(session?.resources ?? [])]} />
          <span class="quiet small for-mouse">{next.mouse}</span>
          <span class="quiet small for-touch">{next.touch}</span>
        </>
      )}
    </div>
  );
}

function Chosen({ written: { value }, rows }: Pick<Drafts, "written"> & Pick<TellProps, "rows">) {
  return (
    value && (
      <span>
        <strong>{spanOf(iso(value.start), iso(value.end))}</strong> {unbroken(rows.get(keyOf(value.row))?.name ?? "")}
      </span>
    )
  );
}

/** What would be sent now, for a test that reads the page. */
function state({ dataset }: HTMLElement, draft: Draft | undefined): void {
  if (draft) dataset.times = `${iso(draft.start)} ${iso(draft.end)}`;
  else delete dataset.times;
  if (draft?.session) dataset.change = JSON.stringify(changeOf(draft) ?? {});
  else delete dataset.change;
}
