/** Who is on board, by name and function. A function is proposed from what somebody does in the school. */
import { type Signal, signal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { SelectField } from "../../ui/form.tsx";
import { type CrewMember, functions } from "./entry.ts";
import type { Known } from "./known.ts";

export interface CrewRow {
  key: number;
  person: Signal<string>;
  function: Signal<string>;
}

let count = 0;

export const rowOf = ({ person, function: as }: CrewMember): CrewRow => {
  count += 1;
  return { key: count, person: signal(person), function: signal(as) };
};

/** What somebody most likely is on board, with these others. */
export function likelyFunction(types: readonly string[], others: readonly string[]): string {
  const isTrained = others.some((other) => other === "dual" || other === "spic");
  if (types.includes("student")) return others.includes("instructor") ? "dual" : "solo";
  if (types.includes("instructor")) return isTrained || others.includes("solo") ? "instructor" : "pic";
  return "pic";
}

interface CrewFieldsProps {
  crew: Signal<readonly CrewRow[]>;
  known: Known;
  onSearch: (typed: string) => void;
}

export function CrewFields({ crew, known, onSearch }: CrewFieldsProps) {
  const { flights: words } = text();
  const propose = (row: CrewRow) => {
    const person = known.people.find(({ id }) => id === row.person.value);
    if (!person) return;
    const others = crew.value.filter((other) => other !== row && other.person.value !== "");
    row.function.value = likelyFunction(
      person.types,
      others.map((other) => other.function.value),
    );
    // An instructor on board makes a solo student one who is trained.
    if (person.types.includes("instructor"))
      for (const other of others)
        if (other.function.value === "solo") {
          other.function.value = "dual";
          row.function.value = "instructor";
        }
  };
  return (
    <fieldset class="group">
      <legend class="visually-hidden">{words.crew}</legend>
      {crew.value.map((row, index) => (
        <div key={row.key} class={crew.value.length > 1 ? "crew-row removable" : "crew-row"}>
          <Combobox
            name={`crew.${index}.person_id`}
            label={index === 0 ? words.onBoard : words.alsoOnBoard(index + 1)}
            value={row.person}
            options={known.crewOptions}
            required={index === 0}
            onType={onSearch}
            onChoose={() => propose(row)}
            aside=""
          />
          <SelectField
            name={`crew.${index}.function`}
            label={words.as}
            value={row.function}
            options={functions.map((value) => ({ value, label: words.functions[value] }))}
          />
          {crew.value.length > 1 && (
            <Button
              kind="plain"
              icon="close"
              iconOnly
              onClick={() => {
                crew.value = crew.value.filter((other) => other !== row);
              }}
            >
              {words.removeMember(index + 1)}
            </Button>
          )}
        </div>
      ))}
      {crew.value.length < 10 && (
        <div>
          <Button
            icon="plus"
            onClick={() => {
              const row = rowOf({ person: "", function: "pic" });
              crew.value = [...crew.value, row];
              requestAnimationFrame(() =>
                document.querySelector<HTMLElement>(`[name="crew.${crew.value.length - 1}.person_id"]`)?.focus(),
              );
            }}
          >
            {words.addMember}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
