/**
 * What is typed while a lesson is graded, kept in this browser until it is signed: one for each flight or lesson that the address
 * names, so that the words about one lesson never stand under another.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { forgetDraft, keptDraft } from "../../app/kept-drafts.ts";
import { place } from "../../app/router.ts";
import type { Grading } from "./exercises.tsx";

export interface Typed {
  flight: string;
  lesson: string;
  gradings: Readonly<Record<string, Grading>>;
  remarks: string;
  notes: string;
}

const isTyped = (kept: unknown): kept is Typed => typeof kept === "object" && kept !== null && "gradings" in kept;

interface Found {
  name: string;
  typed: Typed | undefined;
}

interface KeptGrades {
  /** `undefined` until it is read: a form that were shown before would be filled over what somebody types. */
  found: Found | undefined;
  startOver: () => Promise<void>;
}

export function useKeptGrades(enrollmentId: string): KeptGrades {
  const { query } = place.value;
  const name = ["grade", enrollmentId, query.get("flight") ?? query.get("lesson")].filter(Boolean).join("/");
  const found = useSignal<Found | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void keptDraft(name).then((kept) => {
      if (isCurrent) found.value = { name, typed: isTyped(kept) ? kept : undefined };
    });
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return {
    found: found.value?.name === name ? found.value : undefined,
    startOver: async () => {
      await forgetDraft(name);
      found.value = { name, typed: undefined };
    },
  };
}
