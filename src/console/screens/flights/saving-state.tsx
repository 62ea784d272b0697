/** An entry is saved behind: in this browser at once, and on the server when it can. */
import { type Signal, useSignalEffect } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { explain, explainIssue } from "../../app/explain.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import type { bodyOf, Entry } from "./entry.ts";
import type { Saving } from "./saving.ts";

/** Milliseconds after the last letter, and between tries without a connection. */
const pause = 700;
const retry = 4000;

interface SavingBehindProps {
  saving: Saving;
  entry: Signal<Entry>;
  body: () => ReturnType<typeof bodyOf>;
  /** Each change of a submitted flight is a revision of its own: it is saved when it is done. */
  isOff: boolean;
}

export function useSavingBehind({ saving, entry, body, isOff }: SavingBehindProps): void {
  useSignalEffect(() => {
    const { typed } = entry.value;
    if (typed.aircraft === "" && typed.offBlock === "") return;
    void saving.keep(entry.value);
    const next = body();
    if (isOff || next.aircraft_id === "" || !next.off_block_at) return;
    let timer: ReturnType<typeof setTimeout>;
    const save = () => {
      saving.save(next).then(
        () => changed("/finance/flights"),
        () => {
          if (saving.state.peek().kind === "offline") timer = setTimeout(save, retry);
        },
      );
    };
    timer = setTimeout(save, pause);
    return () => clearTimeout(timer);
  });
}

/** Where what is typed is kept: said quietly, and loudly if it is not on the server. */
export function SavingState({ saving, isOff }: Pick<SavingBehindProps, "saving" | "isOff">) {
  const { flights: words } = text();
  const state = saving.state.value;
  if (state.kind === "refused") {
    const issues = state.problem instanceof Problem ? state.problem.issues : [];
    const { message } = explain(state.problem);
    return (
      <div class="notice warn" role="status">
        <strong>{words.notSaved}</strong>
        {issues.length === 0 && <span>{message}</span>}
        {issues.map((issue) => (
          <span key={issue.path}>
            {words.fields[issue.path.replace(/^body\./, "").replace(/\..*$/, "")] ?? issue.path}: {explainIssue(issue)}
          </span>
        ))}
      </div>
    );
  }
  if (state.kind === "offline")
    return (
      <div class="notice warn" role="status">
        <strong>{words.offline}</strong>
        <span>{words.offlineHint}</span>
      </div>
    );
  return (
    <p class="quiet small" role="status">
      {state.kind === "saved"
        ? words.savedAsDraft
        : state.kind === "saving"
          ? words.savingDraft
          : isOff
            ? words.savedWhenDone
            : words.notYetSaved}
    </p>
  );
}
