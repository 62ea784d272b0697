/** The flights of a training that can be graded, which are submitted: the newest first, those with a record last. */
import { useMemo } from "preact/hooks";
import type { Enrollment, Flight } from "../../api/operations.ts";
import { formatDate, formatTime } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { trainingText } from "./words.ts";

export interface GradedFlight {
  id: string;
  lesson_id: string;
  title: string;
  crew: Flight["crew"];
  isRecorded: boolean;
}

/** `undefined` while they load. */
export function useFlown(enrollment: Enrollment | undefined): readonly GradedFlight[] | undefined {
  const words = trainingText();
  const mayRead = may("flights:read", "flights:read_own");
  const flights = useResource(enrollment && mayRead ? "GET /orgs/{orgId}/flights" : undefined, {
    query: { enrollment_id: enrollment?.id ?? "", limit: 50 },
  });
  const records = useResource(enrollment && "GET /orgs/{orgId}/training/lesson-records", {
    query: { enrollment_id: enrollment?.id ?? "", limit: 200 },
  });
  return useMemo(() => {
    if (!records.data || (mayRead && !flights.data && flights.problem === undefined)) return undefined;
    const recorded = new Set(
      records.data.data.filter(({ status }) => status === "recorded").map(({ flight_id }) => flight_id),
    );
    return (flights.data?.data ?? [])
      .filter(({ status }) => status === "submitted" || status === "approved")
      .flatMap(({ id, lesson_id, off_block_at, aircraft, lesson, crew }) =>
        lesson_id === null
          ? []
          : [
              {
                ...{ id, lesson_id, crew, isRecorded: recorded.has(id) },
                title: [
                  off_block_at && `${formatDate(off_block_at)} ${formatTime(off_block_at)}`,
                  aircraft.registration,
                  lesson,
                  recorded.has(id) && words.isRecorded,
                ]
                  .filter(Boolean)
                  .join(" · "),
              },
            ],
      )
      .sort((one, other) => Number(one.isRecorded) - Number(other.isRecorded));
  }, [flights.data, flights.problem, records.data]);
}
