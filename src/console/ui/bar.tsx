/** How much of something is used up or reached. Its colour says no more than the words beside it. */
import type { Tone } from "./badge.tsx";

interface BarProps {
  label: string;
  value: number;
  max: number;
  /** The value in words: `42:00 / 50:00`. */
  said: string;
  tone?: Tone;
  /** A value to compare with, as a line across the bar. The words say it, too. */
  mark?: number;
}

const shareOf = (value: number, max: number): number => (max > 0 ? Math.min(Math.max(value / max, 0), 1) : 1);

export const Bar = ({ label, value, max, said, tone = "neutral", mark }: BarProps) => {
  const share = shareOf(value, max);
  return (
    <div class={`bar ${tone}`}>
      <meter class="visually-hidden" aria-label={label} value={share}>
        {said}
      </meter>
      <span style={{ inlineSize: `${share * 100}%` }} />
      {mark !== undefined && <i style={{ insetInlineStart: `${shareOf(mark, max) * 100}%` }} />}
    </div>
  );
};
