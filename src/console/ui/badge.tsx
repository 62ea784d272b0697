import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "good" | "warn" | "bad" | "info" | "neutral";

export const toneIcons: Record<Tone, IconName> = {
  good: "check",
  warn: "warn",
  bad: "stop",
  info: "info",
  neutral: "dot",
};

/** A state: its colour, its shape and its word say the same. */
export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <Icon name={toneIcons[tone]} size={13} />
    {children}
  </span>
);
