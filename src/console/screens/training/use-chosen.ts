import type { Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** Chooses the first as soon as they are loaded, and again when others are. */
export function useChosen(value: Signal<string>, options: readonly { id: string }[]): void {
  useLayoutEffect(() => {
    if (!options.some(({ id }) => id === value.value)) value.value = options[0]?.id ?? "";
  }, [options.map(({ id }) => id).join()]);
}
