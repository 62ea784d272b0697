/** Why an aircraft is grounded, and was. What a member decided is lifted by hand; the rest ends when its cause is put right. */
import { useSignal } from "@preact/signals";
import type { Aircraft } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
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
  const lifting = useSignal<Grounding | undefined>(undefined);
  if (aircraft.groundings.length === 0) return null;
  return (
    <Section title={words.whyGrounded} tone="bad">
      <Rows
        label={words.whyGrounded}
        empty=""
        rows={aircraft.groundings.map((grounding) => ({
          id: grounding.id,
          title: reasonOf(grounding),
          detail: [
            words.groundingKinds[grounding.kind],
            words.since(formatDateTime(grounding.since)),
            grounding.grounded_by_name,
          ]
            .filter(Boolean)
            .join(" · "),
          aside:
            grounding.kind !== "by_hand" ? (
              <span class="quiet small">{words.endsBy[grounding.kind]}</span>
            ) : (
              may("aircraft:manage") && (
                <Button
                  onClick={() => {
                    lifting.value = grounding;
                  }}
                >
                  {words.lift}
                </Button>
              )
            ),
        }))}
      />
      {lifting.value && (
        <LiftDialog
          aircraftId={aircraft.id}
          grounding={lifting.value}
          onClose={() => {
            lifting.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

interface LiftDialogProps {
  aircraftId: string;
  grounding: Grounding;
  onClose: () => void;
}

function LiftDialog({ aircraftId, grounding, onClose }: LiftDialogProps) {
  const { aircraft: words, actions } = text();
  const note = useSignal("");
  const lift = async () => {
    const path = { aircraftId, groundingId: grounding.id };
    const body = note.value.trim() === "" ? {} : { note: note.value };
    await call("POST /orgs/{orgId}/aircraft/{aircraftId}/groundings/{groundingId}/lift", { path, body });
    onClose();
    await changed("/aircraft");
    toast(words.lifted, { label: actions.undo, run: () => ground(aircraftId, grounding.note) });
  };
  return (
    <Dialog title={words.liftTitle} onClose={onClose}>
      <Form onSubmit={lift}>
        <p class="quiet as-written">{grounding.note}</p>
        <TextField
          name="note"
          label={words.liftNote}
          hint={words.liftHint}
          value={note}
          maxLength={1000}
          multiline
          autoFocus
        />
        <div class="form-actions">
          <Submit>{words.lift}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

/** The reasons that are lifted, with what was found. */
export function PastGroundings({ aircraftId }: { aircraftId: string }) {
  const { aircraft: words } = text();
  const groundings = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/groundings", { path: { aircraftId } });
  const past = (groundings.data?.data ?? []).filter(({ lifted_at }) => lifted_at !== null);
  if (past.length === 0) return null;
  return (
    <Section title={words.pastGroundings}>
      <Rows
        label={words.pastGroundings}
        empty=""
        most={3}
        rows={past.map((one) => ({
          id: one.id,
          title: reasonOf(one),
          detail: [
            `${formatDateTime(one.since)} – ${formatDateTime(one.lifted_at ?? one.since)}`,
            one.lift_note,
            one.lifted_by_name,
          ]
            .filter(Boolean)
            .join(" · "),
        }))}
      />
    </Section>
  );
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
