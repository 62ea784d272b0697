/** What the workshop decides about a defect: the aircraft may fly with it for a while, or not at all. */
import { useSignal } from "@preact/signals";
import type { Defect } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { DeferDialog } from "./defer-dialog.tsx";
import { GroundForDefect } from "./ground-dialog.tsx";
import { maintenanceText } from "./words.ts";

export function DefectActions({ defect }: { defect: Defect }) {
  const words = maintenanceText();
  const open = useSignal<"defer" | "ground" | undefined>(undefined);
  const { description, status, grounding } = defect;
  if (!may("maintenance:manage") || status === "rectified") return null;
  const show = (what: "defer" | "ground") => () => {
    open.value = what;
  };
  const close = () => {
    open.value = undefined;
  };
  return (
    <>
      <Button kind="plain" onClick={show("defer")}>
        {status === "deferred" ? words.deferAgain : words.defer}
        <span class="visually-hidden"> {description}</span>
      </Button>
      {!(grounding && status === "open") && (
        <Button kind="plain" onClick={show("ground")}>
          {words.groundFor}
          <span class="visually-hidden"> {description}</span>
        </Button>
      )}
      {open.value === "defer" && <DeferDialog defect={defect} onClose={close} />}
      {open.value === "ground" && <GroundForDefect defect={defect} onClose={close} />}
    </>
  );
}
