/** What stands in the place of content: nothing yet, waiting, failed. */
import type { ComponentChildren } from "preact";
import { explain } from "../app/explain.ts";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";

interface EmptyProps {
  title: string;
  /** How to begin. */
  children?: ComponentChildren;
  action?: ComponentChildren;
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);

/** An error, what to do about it, and its request id one click away. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const { title, message, requestId } = explain(error);
  const { actions, errors } = text();
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      <span>{message}</span>
      {requestId !== undefined && (
        <details class="small">
          <summary>{errors.details}</summary>
          {errors.requestId}: <span class="mono">{requestId}</span>
        </details>
      )}
      {retry && (
        <div>
          <Button onClick={retry}>{actions.retry}</Button>
        </div>
      )}
    </div>
  );
}

/** Lines in the place of text that is loading. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div aria-busy="true" class="form">
    <span class="visually-hidden">{text().app.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" style={{ inlineSize: `${90 - ((index * 23) % 50)}%` }} />
    ))}
  </div>
);
