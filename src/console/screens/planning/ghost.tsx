/** What is being dragged, drawn over the rows, and below the board what its booking would answer. Only they follow the pointer. */
import { effect, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatTime } from "../../app/format.ts";
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

export function Ghost(props: GhostProps) {
  const { draft } = props.drafts;
  const isHeld = useComputed(() => draft.value !== undefined);
  return isHeld.value ? <Held {...props} /> : null;
}

/**
 * It has a layer of its own and is written without a rendering: nothing else is laid out or painted while it follows. Its place is that of an
 * animation that stands still: Chromium then moves the layer alone, and else makes all layers of the page anew.
 */
function Held({ drafts: { draft, written, preview }, scale, rows, body }: GhostProps) {
  const lane = useRef<HTMLDivElement>(null);
  const lifted = draft.peek()?.session?.id;
  useLayoutEffect(() => {
    const ghost = lane.current?.firstElementChild;
    if (!lane.current || !(ghost instanceof HTMLElement)) return;
    const tracks = [...(body.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const tops = new Map(tracks.map(({ dataset, parentElement }) => [dataset.row, parentElement?.offsetTop]));
    const place = new KeyframeEffect(lane.current, null, 1000);
    const still = new Animation(place);
    still.pause();
    const stop = effect(() => {
      if (!draft.value) return;
      const { row, start, end } = draft.value;
      const from = scale.shareOf(start);
      const transform = `translate(${percent(from)}, ${tops.get(keyOf(row)) ?? 0}px)`;
      place.setKeyframes({ transform: [transform, transform] });
      ghost.style.inlineSize = percent(scale.shareOf(end) - from);
    });
    return () => {
      stop();
      still.cancel();
    };
  }, [draft, scale, rows, body]);
  useLayoutEffect(
    () =>
      effect(() => {
        const ghost = lane.current?.firstElementChild;
        if (ghost) ghost.className = `ghost ${saidOf(preview.value, [])?.tone ?? "neutral"}`;
      }),
    [preview],
  );
  useLayoutEffect(() => {
    if (lifted === undefined) return;
    const bars = body.current?.querySelectorAll(`[data-session="${lifted}"]`) ?? [];
    for (const bar of bars) bar.classList.add("lifted");
    return () => {
      for (const bar of bars) bar.classList.remove("lifted");
    };
  }, [lifted]);
  return (
    <div class="ghost-track" aria-hidden="true">
      <div class="ghost-lane" ref={lane}>
        <div class="ghost">
          <Times of={written} />
        </div>
      </div>
    </div>
  );
}

function Times({ of: { value } }: { of: Drafts["written"] }) {
  return value ? `${formatTime(iso(value.start))}–${formatTime(iso(value.end))}` : null;
}

interface TellProps {
  drafts: Drafts;
  rows: ReadonlyMap<string, Row>;
}

function Chosen({ drafts: { written }, rows }: TellProps) {
  const draft = written.value;
  return (
    draft && (
      <span>
        <strong>{spanOf(iso(draft.start), iso(draft.end))}</strong> {rows.get(keyOf(draft.row))?.name}
      </span>
    )
  );
}

/** As the ghost, it is rendered anew only when there is something else to say. */
export function Tell({ drafts, rows }: TellProps) {
  const words = planningText();
  const { draft, preview } = drafts;
  const status = useRef<HTMLDivElement>(null);
  const held = useComputed(() => draft.value && (draft.value.session ?? "new")).value;
  const session = held === "new" ? undefined : held;
  useLayoutEffect(
    () =>
      effect(() => {
        // While it is asked, each step would write what the next one overwrites.
        if (preview.value.kind !== "asking" && status.current) state(status.current, draft.value);
      }),
    [draft, preview],
  );
  return (
    <div ref={status} class={held ? "tell" : "visually-hidden"} role="status">
      {held && (
        <>
          <Chosen {...{ drafts, rows }} />
          <Verdict preview={preview.value} named={[...rows.values(), ...(session?.resources ?? [])]} />
          <span class="quiet small">{session ? words.letGo : words.chooseTime}</span>
        </>
      )}
    </div>
  );
}

/** What would be sent now, for a test that reads the page. */
function state({ dataset }: HTMLElement, draft: Draft | undefined): void {
  if (draft) dataset.times = `${iso(draft.start)} ${iso(draft.end)}`;
  else delete dataset.times;
  if (draft?.session) dataset.change = JSON.stringify(changeOf(draft) ?? {});
  else delete dataset.change;
}
