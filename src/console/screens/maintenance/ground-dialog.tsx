/** Grounds an aircraft for a defect that turns out to be worse than it was reported. */
import type { Defect } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toast.tsx";
import { maintenanceText } from "./words.ts";

export function GroundForDefect({ defect, onClose }: { defect: Defect; onClose: () => void }) {
  const words = maintenanceText();
  const registration = defect.aircraft_registration ?? "";
  const ground = async () => {
    await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/ground", {
      path: { aircraftId: defect.aircraft_id, defectId: defect.id },
    });
    await changed("/aircraft", "/maintenance");
    toast(text().aircraft.grounded(registration));
  };
  return (
    <Confirm
      title={words.groundForTitle(registration)}
      about={defect.description}
      action={words.groundFor}
      onConfirm={ground}
      onClose={onClose}
    >
      {words.groundForHint}
    </Confirm>
  );
}
