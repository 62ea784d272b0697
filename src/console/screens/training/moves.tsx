/** What whoever manages training does with an enrollment: suspend, resume, move to another revision, complete, withdraw. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingProgress } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { may } from "../../app/permissions.ts";
import { changed } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { failed } from "../../ui/failed.ts";
import { toast } from "../../ui/toast.tsx";
import { ReasonDialog } from "../flights/reason-dialog.tsx";
import { isOwn } from "./may-record.ts";
import { MigrateDialog } from "./migrate-dialog.tsx";
import { trainingText } from "./words.ts";

type Move = "suspend" | "withdraw" | "complete" | "migrate";

export function Moves({ enrollment, progress }: { enrollment: Enrollment; progress: TrainingProgress | undefined }) {
  const words = trainingText();
  const asked = useSignal<Move | undefined>(undefined);
  if (!may("training:manage") || enrollment.ended_on !== null) return null;
  const path = { enrollmentId: enrollment.id };
  const ask = (move: Move) => () => {
    asked.value = move;
  };
  const close = () => {
    asked.value = undefined;
  };
  const done = async (said: string) => {
    close();
    await changed("/training", "/people");
    toast(said);
  };
  const resume = () =>
    act("POST /orgs/{orgId}/training/enrollments/{enrollmentId}/resume", { path }, enrollment).then(
      () => done(words.resumed),
      failed,
    );
  if (enrollment.status === "suspended")
    return (
      <Button kind="primary" onClick={resume}>
        {words.resume}
      </Button>
    );
  return (
    <>
      <Button onClick={ask("migrate")}>{words.migrate}</Button>
      <Button onClick={ask("suspend")}>{words.suspend}</Button>
      <Button onClick={ask("withdraw")}>{words.withdraw}</Button>
      {progress?.complete && !isOwn(enrollment) && (
        <Button kind="primary" onClick={ask("complete")}>
          {words.complete}
        </Button>
      )}
      {asked.value === "suspend" && (
        <ReasonDialog
          title={words.suspendTitle}
          hint={words.suspendHint}
          action={words.suspend}
          onClose={close}
          onGive={async (reason) => {
            const name = "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/suspend";
            await act(name, { path, body: { reason } }, enrollment);
            await done(words.suspended);
          }}
        />
      )}
      {asked.value === "withdraw" && (
        <ReasonDialog
          title={words.withdrawTitle}
          hint={words.withdrawHint}
          action={words.withdraw}
          onClose={close}
          onGive={async (reason) => {
            const name = "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/withdraw";
            await act(name, { path, body: { reason } }, enrollment);
            await done(words.withdrawn);
          }}
        />
      )}
      {asked.value === "complete" && (
        <Confirm
          title={words.completeTitle}
          action={words.complete}
          onClose={close}
          onConfirm={async () => {
            await act("POST /orgs/{orgId}/training/enrollments/{enrollmentId}/complete", { path }, enrollment);
            await done(words.completed);
          }}
        >
          {words.completeHint}
        </Confirm>
      )}
      {asked.value === "migrate" && <MigrateDialog enrollment={enrollment} onClose={close} />}
    </>
  );
}
