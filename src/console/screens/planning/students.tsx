/** The students or pilots of a booking: one field each. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { PlanningSession } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { usePeople } from "../people/use-people.ts";
import { planningText } from "./words.ts";

interface StudentsProps {
  value: Signal<readonly string[]>;
  /** Whom the booking has already: they may be archived. */
  known: PlanningSession["resources"];
}

/** The API takes as many. */
const most = 20;

export function Students({ value, known }: StudentsProps) {
  const words = planningText();
  const count = useSignal(Math.max(1, value.peek().length));
  const typed = useSignal("");
  const { people } = usePeople(typed.value);
  const options = useMemo(() => {
    const names = new Map(known.filter(({ type }) => type === "student").map(({ id, name }) => [id, name]));
    for (const { id, name } of people) names.set(id, name);
    return [...names].map(([id, label]) => ({ value: id, label }));
  }, [people, known]);
  return (
    <>
      {Array.from({ length: count.value }, (_, index) => (
        <Student key={index} {...{ value, index, options, typed }} label={words.student} />
      ))}
      {count.value < most && value.value.length >= count.value && (
        <div class="field">
          <Button
            kind="plain"
            icon="plus"
            onClick={() => {
              count.value += 1;
            }}
          >
            {words.addStudent}
          </Button>
        </div>
      )}
    </>
  );
}

interface StudentProps {
  value: Signal<readonly string[]>;
  index: number;
  options: readonly { value: string; label: string }[];
  typed: Signal<string>;
  label: string;
}

function Student({ value, index, options, typed, label }: StudentProps) {
  const own = useSignal(value.peek()[index] ?? "");
  useEffect(
    () =>
      own.subscribe((chosen) => {
        const all = [...value.peek()];
        all[index] = chosen;
        const ids = all.filter((id) => id !== undefined && id !== "");
        if (ids.join() !== value.peek().join()) value.value = ids;
      }),
    [],
  );
  return (
    <Combobox
      name={index === 0 ? "student_ids" : `student_ids.${index}`}
      label={label}
      value={own}
      options={options}
      onType={(text) => {
        typed.value = text;
      }}
    />
  );
}
