/** What a new flight most likely is: the counters of its aircraft, where it is, who enters it. Nothing that was typed is changed. */
import { batch, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type CrewRow, likelyFunction } from "./crew-fields.tsx";
import type { Fields } from "./flight-fields.tsx";
import type { Known } from "./known.ts";

interface PrefillProps {
  fields: Fields;
  crew: Signal<readonly CrewRow[]>;
  known: Known;
  prefilled: Signal<readonly string[]>;
  isNew: boolean;
}

export function usePrefill({ fields, crew, known, prefilled, isNew }: PrefillProps): void {
  const aircraft = known.aircraft.find(({ id }) => id === fields.aircraft.value);
  useEffect(() => {
    if (!aircraft) return;
    const fill = (field: Signal<string>, reading: string) => {
      const isOurs = field.peek() === "" || prefilled.peek().includes(field.peek());
      if (isNew && isOurs) field.value = Number(reading) === 0 ? "" : reading;
    };
    batch(() => {
      fill(fields.hobbsStart, aircraft.hobbs);
      fill(fields.tachoStart, aircraft.tacho);
      prefilled.value = [aircraft.hobbs, aircraft.tacho];
      if (aircraft.class === "FSTD") fields.nature.value = "simulator";
    });
  }, [aircraft?.id]);
  useEffect(() => {
    if (isNew && known.home !== undefined && fields.departure.peek() === "") fields.departure.value = known.home;
  }, [known.home]);
  useEffect(() => {
    const [row] = crew.peek();
    const { self } = known;
    if (
      !isNew ||
      !self ||
      !row ||
      row.person.peek() !== "" ||
      self.types.every((type) => type === "staff" || type === "mechanic")
    )
      return;
    batch(() => {
      row.person.value = self.id;
      row.function.value = likelyFunction(self.types, []);
    });
  }, [known.self?.id]);
}
