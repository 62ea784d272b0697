/** The lessons of a student's revision as others of the programme have them: a flight before a move to another revision names one of those. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Enrollment, TrainingLesson } from "../../api/operations.ts";
import { useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";

/** By the id of a lesson of any revision, the id of that with the same code in the student's. */
type SameLesson = ReadonlyMap<string, string>;

/** `undefined` while they load. @param isMoved some are of another revision: else nothing is asked for */
export function useSameLessons(
  enrollment: Enrollment | undefined,
  lessons: readonly TrainingLesson[] | undefined,
  isMoved: boolean,
): SameLesson | undefined {
  const programId = enrollment?.program_id ?? "";
  const revisions = useResource(isMoved ? "GET /orgs/{orgId}/training/programs/{programId}/revisions" : undefined, {
    path: { programId },
    query: { limit: 200 },
  });
  const others = (revisions.data?.data ?? []).filter(
    ({ id, status }) => id !== enrollment?.revision_id && status !== "draft",
  );
  const former = useSignal<readonly TrainingLesson[] | undefined>(undefined);
  useEffect(() => {
    if (!revisions.data) return;
    const asked = new AbortController();
    const lessonsOf = ({ id: revisionId }: { id: string }) =>
      call("GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/lessons", {
        ...{ path: { programId, revisionId }, query: { limit: 500 }, signal: asked.signal },
      });
    Promise.all(others.map(lessonsOf)).then(
      (pages) => {
        former.value = pages.flatMap(({ data }) => data);
      },
      () => {
        // Without them, the other flights can be graded.
        if (!asked.signal.aborted) former.value = [];
      },
    );
    return () => asked.abort();
  }, [others.map(({ id }) => id).join(), revisions.data === undefined]);
  const isLoading = isMoved && former.value === undefined && revisions.problem === undefined;
  return useMemo(
    () => (lessons && !isLoading ? byCode(lessons, former.value ?? []) : undefined),
    [lessons, isLoading, former.value],
  );
}

function byCode(lessons: readonly TrainingLesson[], former: readonly TrainingLesson[]): SameLesson {
  const ofCode = new Map(lessons.map(({ code, id }) => [code, id]));
  return new Map(
    [...lessons, ...former].flatMap(({ id, code }) => {
      const same = ofCode.get(code);
      return same === undefined ? [] : [[id, same] as const];
    }),
  );
}
