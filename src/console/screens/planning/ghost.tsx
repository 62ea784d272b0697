/** What is being dragged, drawn over the rows, and below the board what its booking would answer. Only they follow the pointer. */
import { computed, effect, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatTime } from "../../app/format.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { spanOf } from "../bookings/times.ts";
import { changeOf, type Draft, type Drafts } from "./drafts.ts";
import { keyOf, type Row } from "./rows.ts";
import { percent, type Scale } from "./scale.ts";
import { type Said, saidOf, Verdict } from "./verdict.tsx";
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
 * follow, and nothing is rendered, laid out or painted. These and what shows and hides are of animations that stand still: Chromium then
 * changes the layer alone, and else makes all layers of the page anew.
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
  const parts = [lane, ...lane.querySelectorAll(".ghost, .ghost-end")].map((part) => still(part, hidden));
  const [whole, span, edge] = parts;
  const tags = [...lane.querySelectorAll(".ghost-times > span")].map((tag) => still(tag, { opacity: 0 }));
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
        whole?.be(hidden);
        return;
      }
      const { row, start, end } = draft.value;
      const from = scale.shareOf(start);
      const length = scale.shareOf(end) - from;
      whole?.be({ transform: `translate(${percent(from)}, ${topOf(keyOf(row))}px)` });
      span?.be({ transform: `scaleX(${length})` });
      edge?.be({ transform: `translateX(${percent(length)})` });
    }),
    effect(() => {
      const opacity = written.value ? 1 : 0;
      for (const tag of tags) tag.be({ opacity });
    }),
    effect(() => {
      if (lifted.value === undefined) return;
      const bars = body.querySelectorAll(`[data-session="${lifted.value}"]`);
      for (const bar of bars) bar.classList.add("lifted");
      return () => {
        for (const bar of bars) bar.classList.remove("lifted");
      };
    }),
    ...[...parts, ...tags].map(({ end }) => end),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Beside the track, which keeps what is in it. */
const hidden = { transform: "translateX(-100%)" };

/** Holds an element by an animation that stands still. It does from the start: the first one makes all layers of the page anew. */
function still(element: Element, first: Keyframe): { be(next: Keyframe): void; end(): void } {
  const held = new KeyframeEffect(element, [first, first], 1000);
  const animation = new Animation(held);
  animation.pause();
  return { be: (next) => held.setKeyframes([next, next]), end: () => animation.cancel() };
}

/** The tag is there from the start, like the layers: to shape and paint the first one takes longer than a frame. It shows once something is written. */
function Times({ of: { value }, scale }: { of: Drafts["written"]; scale: Scale }) {
  const [start, end] = value ? [value.start, value.end] : [scale.timeAt(0), scale.timeAt(1)];
  return <span>{`${formatTime(iso(start))}–${formatTime(iso(end))}`}</span>;
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
  const isShown = wasAnswered.current;
  const shown = useRef<ReturnType<typeof still> | undefined>(undefined);
  useLayoutEffect(() => {
    if (!status.current) return;
    shown.current = still(status.current, { opacity: 0 });
    return shown.current.end;
  }, []);
  useLayoutEffect(() => shown.current?.be({ opacity: isShown ? 1 : 0 }), [isShown]);
  const session = held === "new" ? undefined : held;
  const next = planningText().whatNext[isShown && session ? ofChange[preview.value.kind] : "choose"];
  const named = () => [...rows.values(), ...(session?.resources ?? [])];
  return (
    <div ref={status} class={isShown ? "tell shown" : "tell"} role="status">
      <div class="told" aria-hidden={!isShown}>
        {!(isShown && isAsking) && <Chosen draft={isShown ? written.value : undefined} rows={rows} />}
        <Verdict said={isShown ? saidOf(preview.value, named()) : unseen()} kind={isShown && preview.value.kind} />
        <span class="quiet small for-mouse">{next.mouse}</span>
        <span class="quiet small for-touch">{next.touch}</span>
      </div>
    </div>
  );
}

/** @param draft `undefined`: none yet, and it is unseen */
function Chosen({ draft, rows }: Pick<TellProps, "rows"> & { draft: Draft | undefined }) {
  const { start, end } = draft ?? { start: 0, end: 0 };
  return (
    <span>
      <strong>{spanOf(iso(start), iso(end))}</strong> {draft && unbroken(rows.get(keyOf(draft.row))?.name ?? "")}
    </span>
  );
}

/** A verdict is there from the start, like the tag: to render, shape and paint the first one takes several frames. */
function unseen(): Said {
  const { warns, somebodyElse } = planningText();
  return { tone: "warn", title: warns, sentences: [somebodyElse], price: undefined, rules: [] };
}

/** What would be sent now, for a test that reads the page. */
function state({ dataset }: HTMLElement, draft: Draft | undefined): void {
  if (draft) dataset.times = `${iso(draft.start)} ${iso(draft.end)}`;
  else delete dataset.times;
  if (draft?.session) dataset.change = JSON.stringify(changeOf(draft) ?? {});
  else delete dataset.change;
}
