/** Counts beside each other. */
import { formatCount } from "../../app/format.ts";

export const Figures = ({ figures }: { figures: readonly { label: string; count: number }[] }) => (
  <dl class="figures">
    {figures.map(({ label, count }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{formatCount(count)}</dd>
      </div>
    ))}
  </dl>
);
