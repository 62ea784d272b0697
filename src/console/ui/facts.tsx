/** Names and values, one below the other. What has no value is left out. */
import type { ComponentChildren } from "preact";

export interface Fact {
  label: string;
  value: ComponentChildren;
}

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(({ value }) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
