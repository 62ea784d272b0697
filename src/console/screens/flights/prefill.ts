/** What a new flight most likely is: the counters of its aircraft, where it is, who enters it. Nothing that was typed is changed. */

import { batch, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { writeHours } from "../../app/format.ts";
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

/** A counter goes on from the last flight that waits for its approval, if that moves it. */
function latest(counter: string, ends: readonly (string | null)[]): string {
  const end = ends.find((one) => one !== null);
  return end && Number(end) > Number(counter) ? end : counter;
}

export function usePrefill({ fields, crew, known, prefilled, isNew }: PrefillProps): void {
  const aircraft = known.aircraft.find(({ id }) => id === fields.aircraft.value);
  useEffect(() => {
    if (!aircraft) return;
    const fill = (field: Signal<string>, reading: string) => {
      const isOurs = field.peek() === "" || prefilled.peek().includes(field.peek());
      if (isNew && isOurs) field.value = Number(reading) === 0 ? "" : writeHours(reading);
    };
    const after = known.waiting.filter((flight) => flight.aircraft.id === aircraft.id);
    const hobbs = latest(
      aircraft.hobbs,
      after.map(({ hobbs_end }) => hobbs_end),
    );
    const tacho = latest(
      aircraft.tacho,
      after.map(({ tacho_end }) => tacho_end),
    );
    batch(() => {
      fill(fields.hobbsStart, hobbs);
      fill(fields.tachoStart, tacho);
      prefilled.value = [hobbs, tacho].map(writeHours);
      if (aircraft.class === "FSTD") fields.nature.value = "simulator";
    });
  }, [aircraft?.id, known.isLoaded]);
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
