/** Why no time is free: what the booking of any of them would answer, as far as it lasts. Else what to try. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PlanningResources } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { zone } from "../../app/format.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { call } from "../../app/session.ts";
import { conflictsOf, isLimited, Limits, Sentences } from "./refusal.tsx";
import { bookingText } from "./words.ts";

interface WhyNothingProps {
  resources: PlanningResources;
  personId: string;
  /** The day from which on it was searched. */
  from: string;
  wanted: { icao_type?: string; aircraft_id?: string; instructor_id?: string; minutes: number };
}

/** What does not pass by itself. */
const lasting: readonly string[] = ["aircraft_grounded", "out_of_service"];

export function WhyNothing({ resources, personId, from, wanted }: WhyNothingProps) {
  const words = bookingText();
  const problem = useSignal<unknown>(undefined);
  const plane = theOnly(resources, wanted);
  const key = JSON.stringify({ from, ...wanted });
  useEffect(() => {
    problem.value = undefined;
    const asked = new AbortController();
    // At noon of a day that has not begun: before that, a booking may be too soon.
    const noon = instantAt(from > today() ? from : dayAfter(today(), 1), "12:00", zone());
    if (noon === undefined) return;
    const body = {
      kind: wanted.instructor_id === undefined ? ("flight" as const) : ("lesson" as const),
      ...{ start_at: noon, end_at: new Date(Date.parse(noon) + wanted.minutes * 60_000).toISOString() },
      ...{ aircraft_id: plane?.id ?? null, instructor_id: wanted.instructor_id ?? null, student_ids: [personId] },
    };
    if (body.kind === "flight" && plane === undefined) return;
    call("POST /orgs/{orgId}/planning/sessions/dry-run", { body, signal: asked.signal }).catch((error) => {
      if (!asked.signal.aborted) problem.value = error;
    });
    return () => asked.abort();
  }, [key]);
  const against = conflictsOf(problem.value).filter(({ rule }) => lasting.includes(rule));
  const named = plane ? [{ id: plane.id, name: plane.registration }] : [];
  if (isLimited(problem.value)) return <Limits />;
  return (
    <>
      {against.length > 0 && <Sentences all={against} named={named} />}
      {words.nothingFreeHint}
    </>
  );
}

/** The aircraft that was chosen, or the only one of the type: of several, nothing is true of all. */
function theOnly({ aircraft }: PlanningResources, { icao_type, aircraft_id }: WhyNothingProps["wanted"]) {
  const chosen = aircraft.filter((one) => one.id === aircraft_id || (icao_type ?? "") === one.icao_type);
  return chosen.length === 1 ? chosen[0] : undefined;
}
