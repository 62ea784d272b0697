/**
 * The flights of a training that can be graded, which are submitted: the newest first, those with a record last. A flight before a
 * move to another revision is one of the lesson with the same code, if the student's revision has it.
 */
import { useMemo } from "preact/hooks";
import type { Enrollment, Flight, TrainingLesson } from "../../api/operations.ts";
import { formatDate, formatTime } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { useSameLessons } from "./former-lessons.ts";
import { trainingText } from "./words.ts";

export interface GradedFlight {
  id: string;
  /** Of the student's revision. */
  lesson_id: string;
  title: string;
  crew: Flight["crew"];
  isRecorded: boolean;
}

/** `undefined` while they load. @param lessons of the student's revision */
export function useFlown(
  enrollment: Enrollment | undefined,
  lessons: readonly TrainingLesson[] | undefined,
): readonly GradedFlight[] | undefined {
  const words = trainingText();
  const mayRead = may("flights:read", "flights:read_own");
  const flights = useResource(enrollment && mayRead ? "GET /orgs/{orgId}/flights" : undefined, {
    query: { enrollment_id: enrollment?.id ?? "", limit: 50 },
  });
  const records = useResource(enrollment && "GET /orgs/{orgId}/training/lesson-records", {
    query: { enrollment_id: enrollment?.id ?? "", limit: 200 },
  });
  const isOfOther = ({ lesson_id }: Flight) => lesson_id !== null && lessons?.every(({ id }) => id !== lesson_id);
  const isMoved = lessons !== undefined && (flights.data?.data.some(isOfOther) ?? false);
  const sameLesson = useSameLessons(enrollment, lessons, isMoved);
  return useMemo(() => {
    if (!sameLesson || !records.data || (mayRead && !flights.data && flights.problem === undefined)) return undefined;
    const recorded = new Set(
      records.data.data.filter(({ status }) => status === "recorded").map(({ flight_id }) => flight_id),
    );
    return (flights.data?.data ?? [])
      .filter(({ status }) => status === "submitted" || status === "approved")
      .flatMap(({ id, lesson_id: flown, off_block_at, aircraft, lesson, crew }) => {
        const lesson_id = flown === null ? undefined : sameLesson.get(flown);
        if (lesson_id === undefined) return [];
        const parts = [
          off_block_at && `${formatDate(off_block_at)} ${formatTime(off_block_at)}`,
          aircraft.registration,
          lesson,
          recorded.has(id) && words.isRecorded,
        ];
        return [{ id, lesson_id, crew, isRecorded: recorded.has(id), title: parts.filter(Boolean).join(" · ") }];
      })
      .sort((one, other) => Number(one.isRecorded) - Number(other.isRecorded));
  }, [flights.data, flights.problem, records.data, sameLesson]);
}
