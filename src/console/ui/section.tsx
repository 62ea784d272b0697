/** A part of a page: its heading, what can be done there, and its content. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Resource } from "../app/resource.ts";
import { ProblemNotice, Skeleton } from "./states.tsx";

interface SectionProps {
  title: string;
  children: ComponentChildren;
  /** Beside the heading. */
  actions?: ComponentChildren;
  /** Of what must not be overlooked. */
  tone?: "bad";
}

export function Section({ title, children, actions, tone }: SectionProps) {
  const id = useId();
  return (
    <section class={tone === undefined ? "section" : `section ${tone}`} aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** What a resource has, once it is there; until then its skeleton, or why it failed. */
export function Loaded<Value>({
  resource: { data, problem, reload },
  lines,
  children,
}: {
  resource: Resource<Value>;
  /** Of the skeleton. */
  lines?: number;
  children: (value: Value) => ComponentChildren;
}) {
  if (data === undefined)
    return problem === undefined ? <Skeleton lines={lines} /> : <ProblemNotice error={problem} retry={reload} />;
  return (
    <>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {children(data)}
    </>
  );
}
