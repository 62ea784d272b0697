/** That sunset and twilight can't be computed, said where they would stand; who may set the coordinates does it here. */
import { useSignal } from "@preact/signals";
import { may } from "../../app/permissions.ts";
import { organization } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { later } from "../../ui/later.tsx";
import type { PositionDialogProps } from "./position-dialog.tsx";
import { planningText } from "./words.ts";

const PositionDialog = later<PositionDialogProps>(() => import("./position-dialog.tsx"));

export function NoPosition() {
  const words = planningText();
  const name = `windsock.no-position.${organization.value?.id}`;
  const isDismissed = useSignal(localStorage.getItem(name) === "dismissed");
  const isOpen = useSignal(false);
  if (isDismissed.value || !may("planning:manage")) return null;
  return (
    <div class="planning-no-position quiet small">
      {words.noPosition}
      {may("directory:manage") && (
        <Button
          kind="plain"
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {words.position.enter}
        </Button>
      )}
      <Button
        kind="plain"
        onClick={() => {
          localStorage.setItem(name, "dismissed");
          isDismissed.value = true;
        }}
      >
        {words.position.hide}
      </Button>
      {isOpen.value && (
        <PositionDialog
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}
