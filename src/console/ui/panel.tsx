import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  title: string;
  hint?: string;
  children: ComponentChildren;
}

/** A part of a page of settings: what it is about at the side, on a phone above. */
export function Panel({ title, hint, children }: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p class="quiet">{hint}</p>}
      </div>
      <div class="form">{children}</div>
    </section>
  );
}
