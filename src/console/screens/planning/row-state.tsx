/** The state of a row in a word, at its head: grounded, in the workshop, away. The reason shows with the focus, and below the pointer. */
import { useId, useRef } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import type { RowState } from "./rows.ts";
import { planningText } from "./words.ts";

interface RowStateProps {
  state: RowState;
  /** Empty: the reader may not know. */
  reasons: readonly string[];
}

export function StateOfRow({ state, reasons }: RowStateProps) {
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  const said = (
    <>
      <Icon name={state === "grounded" ? "stop" : "warn"} size={13} />
      <span class="row-word">{planningText().states[state]}</span>
    </>
  );
  if (reasons.length === 0) return <span class={`row-state ${state}`}>{said}</span>;
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    tip.current?.showPopover();
    tip.current?.style.setProperty("inset", `${bottom + 4}px auto auto ${left}px`);
  };
  const hide = () => tip.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        class={`row-state ${state}`}
        aria-describedby={id}
        onFocus={show}
        onMouseEnter={show}
        onClick={show}
        onBlur={hide}
        onMouseLeave={hide}
        onKeyDown={(event) => {
          if (event.key === "Escape") hide();
        }}
      >
        {said}
      </button>
      <span ref={tip} id={id} role="tooltip" class="row-why" popover="manual">
        {reasons.map((reason) => (
          <span key={reason}>{reason}</span>
        ))}
      </span>
    </>
  );
}
