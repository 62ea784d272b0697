/** Grounds an aircraft for a defect that turns out to be worse than it was reported. */
import type { Defect } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { maintenanceText } from "./words.ts";

export function GroundForDefect({ defect, onClose }: { defect: Defect; onClose: () => void }) {
  const words = maintenanceText();
  const { aircraft, actions } = text();
  const registration = defect.aircraft_registration ?? "";
  const ground = async () => {
    await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/ground", {
      path: { aircraftId: defect.aircraft_id, defectId: defect.id },
    });
    onClose();
    await changed("/aircraft", "/maintenance");
    toast(aircraft.grounded(registration));
  };
  return (
    <Dialog title={words.groundForTitle(registration)} onClose={onClose}>
      <Form onSubmit={ground}>
        <p class="quiet as-written">{defect.description}</p>
        <p>{words.groundForHint}</p>
        <div class="form-actions">
          <Submit kind="danger">{words.groundFor}</Submit>
          <Button onClick={onClose}>{actions.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
