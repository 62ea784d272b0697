/** Light or dark: as the device, unless this browser was told otherwise. */
import { signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const kept = localStorage.getItem("windsock.theme");
export const theme = signal<Theme>(themes.find((one) => one === kept) ?? "system");

export function applyTheme(wanted: Theme = theme.value): void {
  theme.value = wanted;
  localStorage.setItem("windsock.theme", wanted);
  if (wanted === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
}
