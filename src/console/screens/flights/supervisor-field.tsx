/** Of a solo flight: the instructor who authorized it and supervises it from the ground (FCL.020). */
import type { Signal } from "@preact/signals";
import type { CrewEntry } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Combobox } from "../../ui/combobox.tsx";
import type { Known } from "./known.ts";

interface SupervisorFieldProps {
  crew: readonly CrewEntry[];
  known: Known;
  value: Signal<string>;
  onSearch: (typed: string) => void;
}

export function SupervisorField({ crew, known, value, onSearch }: SupervisorFieldProps) {
  if (!crew.some(({ function: as }) => as === "solo")) return null;
  return (
    <Combobox
      name="supervisor_id"
      label={text().flights.supervisor}
      value={value}
      options={known.people
        .filter(({ types }) => types.includes("instructor"))
        .map(({ id, name }) => ({ value: id, label: name }))}
      onType={onSearch}
    />
  );
}
