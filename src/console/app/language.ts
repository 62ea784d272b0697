/** The language of the console: that of the account, or of this browser. */
import { signal } from "@preact/signals";
import type { Text } from "../text/en.ts";
import { loadPart } from "./load-part.ts";

export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** As their speakers call them. */
export const languageNames = { en: "English", de: "Deutsch" } as const satisfies Record<Language, string>;

export const isLanguage = (name: string | null | undefined): name is Language => languages.some((one) => one === name);

const load: Record<Language, () => Promise<Text>> = {
  en: async () => (await loadPart(() => import("../text/en.ts"))).en,
  de: async () => (await loadPart(() => import("../text/de.ts"))).de,
};

export const language = signal<Language>("en");
const loaded = signal<Text | undefined>(undefined);

/** The texts in the present language. Components that read it are rendered again when the language changes. */
export function text(): Text {
  if (!loaded.value) throw new Error("No language is loaded.");
  return loaded.value;
}

export async function speak(wanted: Language): Promise<void> {
  loaded.value = await load[wanted]();
  language.value = wanted;
  document.documentElement.lang = wanted;
  localStorage.setItem("windsock.language", wanted);
}

/** Loads the language that was chosen in this browser, or else the first one of the browser's that there is. */
export function speakFirst(): Promise<void> {
  const wanted = [localStorage.getItem("windsock.language"), ...navigator.languages.map((one) => one.slice(0, 2))];
  return speak(wanted.find(isLanguage) ?? "en");
}
