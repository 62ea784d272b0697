/** What was chosen on the board, and what its booking would answer. */
import { effect, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { unbroken } from "../../ui/unbroken.tsx";
import { spanOf } from "../bookings/times.ts";
import { changeOf, type Draft, type Drafts } from "./drafts.ts";
import { keyOf, type Row } from "./rows.ts";
import { still } from "./still.ts";
import { type Said, saidOf, Verdict } from "./verdict.tsx";
import { planningText } from "./words.ts";

const iso = (at: number): string => new Date(at).toISOString();

interface TellProps {
  drafts: Drafts;
  rows: ReadonlyMap<string, Row>;
}

/** So many are read while something is dragged, and no more cover the board. The dialog has all. */
const sentences = 3;

/** What letting go does to a booking. Without a preview it is where it was. */
const ofChange = { none: "leave", asking: "change", tried: "change", refused: "leave" } as const;

/** What was chosen, with what its booking would answer: when that is there, for a drag would be read out step by step, and the ghost shows it. */
export function Tell({ drafts: { draft, written, told, answered }, rows }: TellProps) {
  const status = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        // While it is asked, each step would write what the next one overwrites.
        if (told.value.kind !== "asking" && status.current) state(status.current, draft.value);
      }),
    [draft, told],
  );
  // Until there is something to say, nothing of a drag is rendered here.
  const isShown = answered.value;
  const isAsking = useComputed(() => answered.value && told.value.kind === "asking").value;
  const session = useComputed(() => (answered.value ? written.value?.session : undefined)).value;
  const shown = useRef<ReturnType<typeof still> | undefined>(undefined);
  useLayoutEffect(() => {
    if (!status.current) return;
    shown.current = still(status.current, { opacity: 0 });
    return shown.current.end;
  }, []);
  useLayoutEffect(() => shown.current?.be({ opacity: isShown ? 1 : 0 }), [isShown]);
  const next = planningText().whatNext[session ? ofChange[told.value.kind] : "choose"];
  const named = () => [...rows.values(), ...(session?.resources ?? [])];
  return (
    <div ref={status} class={isShown ? "tell shown" : "tell"} role="status">
      <div class="told" aria-hidden={!isShown}>
        {!isAsking && <Chosen draft={isShown ? written.value : undefined} rows={rows} />}
        <Verdict
          said={isShown ? saidOf(told.value, named()) : unseen()}
          kind={isShown && told.value.kind}
          most={sentences}
        />
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
