/** The instructor whose lesson it was: whoever manages training may record it for them. */
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { organization } from "../../app/session.ts";
import { SelectField } from "../../ui/form.tsx";
import { usePeople } from "../people/use-people.ts";
import type { GradedFlight } from "./flown.ts";
import { trainingText } from "./words.ts";

export function InstructorField({ value, flight }: { value: Signal<string>; flight: GradedFlight | undefined }) {
  const words = trainingText();
  const { people, isLoaded } = usePeople("");
  const instructors = people.filter(({ types }) => types.includes("instructor"));
  const usual =
    flight?.crew.find(({ function: as }) => as === "instructor")?.person_id ??
    instructors.find(({ id }) => id === organization.value?.person_id)?.id ??
    instructors[0]?.id;
  useEffect(() => {
    if (isLoaded && usual !== undefined) value.value = usual;
  }, [isLoaded, usual]);
  if (instructors.length === 0) return null;
  return (
    <SelectField
      name="instructor_id"
      label={words.instructor}
      value={value}
      options={instructors.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
