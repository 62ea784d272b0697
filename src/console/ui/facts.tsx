/** Names and values, one below the other. What has no value is left out. */
import type { ComponentChildren } from "preact";

export interface Fact {
  label: string;
  value: ComponentChildren;
}

const nothing: readonly ComponentChildren[] = [undefined, null, "", false];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(({ value }) => !nothing.includes(value) && !(Array.isArray(value) && value.length === 0))
      .map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
