/** What is being dragged, drawn over the rows, and below the board what its booking would answer. Only they follow the pointer. */
import { useLayoutEffect, useState } from "preact/hooks";
import { formatTime } from "../../app/format.ts";
import { spanOf } from "../bookings/times.ts";
import { changeOf, type Drafts } from "./drafts.ts";
import { keyOf, type Row } from "./rows.ts";
import type { Scale } from "./scale.ts";
import { saidOf, Verdict } from "./verdict.tsx";
import { planningText } from "./words.ts";

const iso = (at: number): string => new Date(at).toISOString();

interface GhostProps {
  drafts: Drafts;
  scale: Scale;
  body: { current: HTMLElement | null };
}

export function Ghost({ drafts, scale, body }: GhostProps) {
  const draft = drafts.draft.value;
  const tone = saidOf(drafts.preview.value, [])?.tone ?? "neutral";
  const key = draft && keyOf(draft.row);
  const [top, setTop] = useState(0);
  const lifted = draft?.session?.id;
  useLayoutEffect(() => {
    const track = key === undefined ? null : body.current?.querySelector(`[data-row="${key}"]`);
    if (track?.parentElement) setTop(track.parentElement.offsetTop);
  }, [key]);
  useLayoutEffect(() => {
    if (lifted === undefined) return;
    const bars = body.current?.querySelectorAll(`[data-session="${lifted}"]`) ?? [];
    for (const bar of bars) bar.classList.add("lifted");
    return () => {
      for (const bar of bars) bar.classList.remove("lifted");
    };
  }, [lifted]);
  if (!draft) return null;
  const from = scale.shareOf(draft.start);
  const share = scale.shareOf(draft.end) - from;
  return (
    <div
      class={`ghost ${tone}`}
      aria-hidden="true"
      style={{ "--from": from, "--share": share, insetBlockStart: `${top}px` }}
    >
      {formatTime(iso(draft.start))}–{formatTime(iso(draft.end))}
    </div>
  );
}

export function Tell({ drafts, rows }: { drafts: Drafts; rows: ReadonlyMap<string, Row> }) {
  const words = planningText();
  const draft = drafts.draft.value;
  const preview = drafts.preview.value;
  return (
    <div
      class={draft ? "tell" : "visually-hidden"}
      role="status"
      data-times={draft && `${iso(draft.start)} ${iso(draft.end)}`}
      data-change={draft?.session && JSON.stringify(changeOf(draft) ?? {})}
    >
      {draft && (
        <>
          <span>
            <strong>{spanOf(iso(draft.start), iso(draft.end))}</strong> {rows.get(keyOf(draft.row))?.name}
          </span>
          <Verdict preview={preview} named={[...rows.values(), ...(draft.session?.resources ?? [])]} />
          <span class="quiet small">{draft.session ? words.letGo : words.chooseTime}</span>
        </>
      )}
    </div>
  );
}
