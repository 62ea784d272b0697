import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/**
 * Fills a field with what is likely, which may be known only after the field is shown. What somebody has typed stays.
 *
 * @param of whose value it is: for somebody else the field is filled anew
 */
export function useProposal(field: Signal<string>, proposed: string | undefined, of = ""): void {
  const last = useRef({ of, value: field.peek() });
  useEffect(() => {
    if (proposed === undefined) return;
    const isTyped = last.current.of === of && field.peek() !== last.current.value;
    last.current = { of, value: proposed };
    if (!isTyped) field.value = proposed;
  }, [proposed, of]);
}
