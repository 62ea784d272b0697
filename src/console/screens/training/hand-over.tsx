/**
 * The phone in the student's hands: they read the record of their lesson, never the notes among instructors, and sign it by signing in
 * with their own account. That session is used for the signature alone and ended; the instructor's stays.
 */
import { useSignal } from "@preact/signals";
import { createClient } from "../../api/client.ts";
import type { LessonRecord, TokenPair, TrainingRevision } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { SignInForm } from "../accounts/sign-in-form.tsx";
import { Grades, Said } from "./record-parts.tsx";
import { trainingText } from "./words.ts";

interface HandOverProps {
  record: LessonRecord;
  scales: TrainingRevision["scales"];
  onEnd: () => void;
}

/** A client for one signature. It neither sends nor takes cookies: the one of this browser is the instructor's. */
const clientWith = (token: string | undefined) =>
  createClient({
    fetch: (url, init) => fetch(url, { ...init, credentials: "omit" }),
    token: async () => token,
    renew: async () => undefined,
    stepUp: async () => false,
    orgId: () => organization.value?.id,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });

const signedOut = clientWith(undefined);

/** The account that signed in is not the student's: it may not sign, or doesn't even see the record. */
const isOfOther = (problem: unknown): boolean =>
  problem instanceof Problem &&
  (problem.reason === "not_the_student" || problem.reason === "permission_missing" || problem.status === 404);

export function HandOver({ record, scales, onEnd }: HandOverProps) {
  const words = trainingText();
  const isSigned = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const person = useResource(may("people:read") ? "GET /orgs/{orgId}/people/{personId}" : undefined, {
    path: { personId: record.student_id },
  });
  const sign = async (pair: TokenPair) => {
    problem.value = undefined;
    const { call } = clientWith(pair.access_token);
    try {
      await call("POST /orgs/{orgId}/training/lesson-records/{lessonRecordId}/acknowledge", {
        path: { lessonRecordId: record.id },
      });
      isSigned.value = true;
    } catch (error) {
      problem.value = error;
    } finally {
      await call("POST /auth/logout", { body: {} }).catch(() => undefined);
    }
    await changed("/training", "/today");
  };
  if (isSigned.value)
    return (
      <Dialog title={words.signedTitle} covers>
        <p>
          <Badge tone="good">{words.signed}</Badge>
        </p>
        <p>{words.giveBack(record.instructor_name)}</p>
        <div class="form-actions">
          <Button kind="primary" autoFocus onClick={onEnd}>
            {words.back}
          </Button>
        </div>
      </Dialog>
    );
  const isKnown = !may("people:read") || person.data !== undefined || person.problem !== undefined;
  const email = person.data?.data.email ?? undefined;
  return (
    <Dialog title={words.toSign(record.student_name)} covers>
      {/* biome-ignore lint/a11y/noAutofocus: the student begins at what they sign */}
      <div class="form" tabIndex={-1} autoFocus>
        <p>
          <strong>
            {record.lesson.code} {record.lesson.name}
          </strong>
          <br />
          <span class="quiet">{words.gradedBy(formatDateTime(record.signed_at), record.instructor_name)}</span>
        </p>
        <Grades grades={record.grades} scales={scales} />
        {record.remarks !== null && <Said by={record.instructor_name}>{record.remarks}</Said>}
      </div>
      <p>{words.signHint}</p>
      {isOfOther(problem.value) ? (
        <div class="notice bad" role="alert">
          {words.onlyStudent(record.student_name)}
        </div>
      ) : (
        problem.value !== undefined && <ProblemNotice error={problem.value} />
      )}
      {isKnown && (
        <SignInForm
          {...(email !== undefined && { email })}
          client={signedOut}
          submit={words.signIn}
          onTokens={sign}
          isReadFirst
        />
      )}
      <div>
        <Button kind="plain" onClick={onEnd}>
          {words.later}
        </Button>
      </div>
      <p class="quiet small">{words.laterHint(text().areas.myself)}</p>
    </Dialog>
  );
}
