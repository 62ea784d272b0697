/** Cancels a booking, and says before whether the school counts it as late. */
import { useSignal } from "@preact/signals";
import type { PlanningCancellation, PlanningSession } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { spanOf } from "./times.ts";
import { bookingText } from "./words.ts";

const reasons = ["student", "weather", "aircraft", "instructor", "school", "other"] as const;

interface CancelDialogProps {
  session: PlanningSession;
  /** In the words of those who cancel for others. */
  reasons?: Readonly<Record<PlanningCancellation["reason"], string>>;
  /** Of a series: whether the later ones go, too. */
  scopes?: Readonly<Record<"one" | "following", string>> | undefined;
  /** What else there is to say of one that is cancelled. */
  tellMore?: (cancelled: readonly PlanningSession[]) => Promise<string | undefined>;
  onClose: () => void;
}

export function CancelDialog({ session, reasons: said, scopes, tellMore, onClose }: CancelDialogProps) {
  const words = bookingText();
  const reason = useSignal<string>(said ? "" : "student");
  const scope = useSignal<string>("one");
  const note = useSignal("");
  const settings = useResource("GET /orgs/{orgId}/planning/settings");
  const notice = settings.data?.data.cancel_notice_hours ?? 0;
  const isLate = Date.parse(session.start_at) - Date.now() < notice * 3_600_000;
  const cancel = async () => {
    const { data } = await act(
      "POST /orgs/{orgId}/planning/sessions/{sessionId}/cancel",
      {
        path: { sessionId: session.id },
        body: {
          reason: reason.value as PlanningCancellation["reason"],
          ...(note.value.trim() !== "" && { note: note.value }),
          ...(scope.value === "following" && { scope: "following" as const }),
        },
      },
      session,
    );
    onClose();
    await changed("/planning", "/today");
    const more = await tellMore?.(scope.value === "one" ? [data] : await cancelledWith(data));
    toast([words.cancelled, more].filter(Boolean).join(" "));
  };
  return (
    <Dialog title={words.cancelTitle} onClose={onClose}>
      <Form onSubmit={cancel}>
        <p>
          <strong>{spanOf(session.start_at, session.end_at)}</strong>
          <br />
          {session.resources.map(({ name }) => name).join(" · ")}
        </p>
        {isLate && <div class="notice warn">{words.late(notice)}</div>}
        <SelectField
          name="reason"
          label={words.reason}
          value={reason}
          options={[
            // Who cancels for others says why: a reason that nobody chose would count against somebody.
            ...(said ? [{ value: "", label: words.choose }] : []),
            ...reasons.map((value) => ({ value, label: (said ?? words.reasons)[value] })),
          ]}
        />
        {scopes && (
          <SelectField
            name="scope"
            label={words.scope}
            value={scope}
            options={(["one", "following"] as const).map((value) => ({ value, label: scopes[value] }))}
          />
        )}
        <TextField name="note" label={words.note} value={note} maxLength={500} multiline />
        <div class="form-actions">
          <Submit kind="danger" busyText={text().actions.saving}>
            {words.cancelSubmit}
          </Submit>
          <Button onClick={onClose}>{words.keep}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** All of the series that were cancelled at once: the answer has only the first. */
async function cancelledWith(first: PlanningSession): Promise<readonly PlanningSession[]> {
  if (first.series_id === null) return [first];
  const query = { series_id: first.series_id, status: "cancelled", from: first.start_at, limit: 500 } as const;
  const all = await call("GET /orgs/{orgId}/planning/sessions", { query }).catch(() => undefined);
  return all?.data.filter(({ cancellation }) => cancellation?.at === first.cancellation?.at) ?? [first];
}
