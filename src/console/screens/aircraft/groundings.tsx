/** Why an aircraft is grounded. What a member decided is lifted by hand; the rest ends when its cause is put right. */
import { useSignal } from "@preact/signals";
import type { Aircraft } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Grounding, reasonOf } from "./status.tsx";

export function Groundings({ aircraft }: { aircraft: Aircraft }) {
  const { aircraft: words } = text();
  if (aircraft.groundings.length === 0) return null;
  return (
    <Section title={words.whyGrounded} tone="bad">
      <Rows
        label={words.whyGrounded}
        empty=""
        rows={aircraft.groundings.map((grounding) => ({
          id: grounding.id,
          title: reasonOf(grounding),
          detail: `${words.groundingKinds[grounding.kind]} · ${words.since(formatDateTime(grounding.since))}`,
          aside:
            grounding.kind !== "by_hand" ? (
              <span class="quiet small">{words.endsBy[grounding.kind]}</span>
            ) : (
              may("aircraft:manage") && <Lift aircraft={aircraft} grounding={grounding} />
            ),
        }))}
      />
    </Section>
  );
}

function Lift({ aircraft: { id: aircraftId }, grounding }: { aircraft: Aircraft; grounding: Grounding }) {
  const { aircraft: words, actions } = text();
  const lift = async () => {
    const path = { aircraftId, groundingId: grounding.id };
    await call("POST /orgs/{orgId}/aircraft/{aircraftId}/groundings/{groundingId}/lift", { path });
    await changed("/aircraft");
    toast(words.lifted, { label: actions.undo, run: () => ground(aircraftId, grounding.note) });
  };
  return <Button onClick={lift}>{words.lift}</Button>;
}

async function ground(aircraftId: string, reason: string): Promise<Aircraft> {
  const path = { aircraftId };
  const { data } = await call("POST /orgs/{orgId}/aircraft/{aircraftId}/ground", { path, body: { reason } });
  await changed("/aircraft");
  return data;
}

export function GroundDialog({ aircraftId, onClose }: { aircraftId: string; onClose: () => void }) {
  const { aircraft: words } = text();
  const reason = useSignal("");
  return (
    <Dialog title={words.groundTitle} onClose={onClose}>
      <Form
        onSubmit={async () => {
          const { registration } = await ground(aircraftId, reason.value);
          toast(words.grounded(registration));
          onClose();
        }}
      >
        <p class="quiet">{words.groundHint}</p>
        <TextField name="reason" label={words.reason} value={reason} required maxLength={500} multiline autoFocus />
        <div class="form-actions">
          <Submit>{words.groundSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
