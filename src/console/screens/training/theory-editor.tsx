/** The theory exams of a draft: their rules, and their subjects in their order. */
import { useSignal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { Rows } from "../../ui/rows.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import { type Draft, type DraftSubject, newKey, nextCode, type TheoryRules } from "./draft.ts";
import { Sortable } from "./sortable.tsx";
import { SubjectDialog } from "./subject-dialog.tsx";
import { TheoryDialog } from "./theory-dialog.tsx";
import { trainingText } from "./words.ts";

export function TheoryEditor({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { theory: words } = trainingText();
  const { theory, subjects } = draft;
  const isOpen = useSignal(false);
  const editing = useSignal<DraftSubject | undefined>(undefined);
  const close = () => {
    isOpen.value = false;
    editing.value = undefined;
  };
  const set = (subject: DraftSubject) => {
    const isKnown = subjects.some(({ key }) => key === subject.key);
    const changed = subjects.map((one) => (one.key === subject.key ? subject : one));
    onChange({ ...draft, subjects: isKnown ? changed : [...subjects, subject] });
    close();
  };
  return (
    <SectionWithAdd
      title={words.title}
      add={theory === null ? words.add : words.subject}
      onAdd={() => {
        if (theory === null) isOpen.value = true;
        else editing.value = { key: newKey(), code: nextCode(subjects), name: "" };
      }}
    >
      {theory === null ? (
        <p class="quiet">{words.none}</p>
      ) : (
        <>
          <Rows
            label={words.rules}
            empty=""
            rows={[
              {
                id: "rules",
                title: words.rules,
                detail: rulesIn(theory),
                onOpen: () => {
                  isOpen.value = true;
                },
              },
            ]}
          />
          {subjects.length === 0 && <p class="quiet">{words.noSubjects}</p>}
          <Sortable
            label={trainingText().subjects}
            rows={subjects}
            nameOf={({ name }) => name}
            onSort={(sorted) => onChange({ ...draft, subjects: sorted })}
          >
            {(subject) => (
              <>
                <div class="row-text">
                  <span class="row-title">
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      onClick={() => {
                        editing.value = subject;
                      }}
                    >
                      {subject.name}
                    </button>
                  </span>
                </div>
                <Button
                  kind="plain"
                  icon="close"
                  iconOnly
                  onClick={() => onChange({ ...draft, subjects: subjects.filter((one) => one !== subject) })}
                >
                  {words.removeSubject(subject.name)}
                </Button>
              </>
            )}
          </Sortable>
        </>
      )}
      {isOpen.value && (
        <TheoryDialog
          theory={theory}
          onSet={(next) => {
            onChange({ ...draft, theory: next });
            close();
          }}
          onRemove={() => {
            onChange({ ...draft, theory: null, subjects: [] });
            close();
          }}
          onClose={close}
        />
      )}
      {editing.value && (
        <SubjectDialog
          subject={editing.value}
          others={subjects.filter(({ key }) => key !== editing.value?.key)}
          onSet={set}
          onClose={close}
        />
      )}
    </SectionWithAdd>
  );
}

/** The rules in one line, as they are read and edited. */
export function rulesIn({ pass_percent, attempts, sittings = null, months, valid_months, legal_basis }: TheoryRules) {
  const { theory: words } = trainingText();
  return [
    words.passFrom(pass_percent),
    words.tries(attempts),
    ...(sittings === null ? [] : [words.inSittings(sittings)]),
    words.within(months),
    words.validFor(valid_months),
    legal_basis,
  ].join(" · ");
}
