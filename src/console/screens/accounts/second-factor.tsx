/** The authenticator app of the account, and the recovery codes for the day on which it is lost. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changedAccount, useResource } from "../../app/resource.ts";
import { call, me, reloadMe } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { Enrollment } from "./enrollment.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** From here on, new codes are due. */
const few = 3;

type Open = "enrollment" | "regenerate" | "remove";

export function SecondFactor() {
  const { account: words } = text();
  const isOn = me.value?.has_second_factor === true;
  const open = useSignal<Open | undefined>(undefined);
  const codes = useSignal<readonly string[] | undefined>(undefined);
  const { data } = useResource(isOn ? "GET /auth/mfa/recovery-codes" : undefined);
  const show = (wanted: Open | undefined) => {
    open.value = wanted;
  };
  const close = () => show(undefined);
  const kept = async () => {
    codes.value = undefined;
    close();
    await reloadMe();
    await changedAccount("/auth/mfa");
  };
  const regenerate = async () => {
    codes.value = (await call("POST /auth/mfa/recovery-codes/regenerate")).data.recovery_codes;
  };
  const remove = async () => {
    await call("DELETE /auth/mfa/enroll");
    await reloadMe();
    toast(words.factorRemoved);
  };
  const left = data?.data;
  return (
    <Panel title={words.factor} hint={words.factorHint}>
      <div class="spread">
        {isOn ? <Badge tone="good">{words.factorOn}</Badge> : <Badge tone="neutral">{words.factorOff}</Badge>}
        {left && (
          <span class={left.remaining <= few ? "" : "quiet"}>{words.codesLeft(left.remaining, left.total)}</span>
        )}
      </div>
      <div class="form-actions">
        {isOn ? (
          <>
            <Button onClick={() => show("regenerate")}>{words.newCodes}</Button>
            <Button kind="danger" onClick={() => show("remove")}>
              {words.removeFactor}
            </Button>
          </>
        ) : (
          <Button onClick={() => show("enrollment")}>{words.setUpFactor}</Button>
        )}
      </div>
      {open.value === "enrollment" && !codes.value && (
        <Enrollment
          onClose={close}
          onCodes={(made) => {
            codes.value = made;
          }}
        />
      )}
      {open.value === "regenerate" && !codes.value && (
        <Confirm
          title={words.newCodes}
          action={words.newCodes}
          onConfirm={regenerate}
          onClose={() => {
            if (!codes.value) close();
          }}
        >
          {words.newCodesHint}
        </Confirm>
      )}
      {open.value === "remove" && (
        <Confirm title={words.removeFactor} action={words.removeFactor} onConfirm={remove} onClose={close}>
          {words.removeFactorHint}
        </Confirm>
      )}
      {codes.value && (
        <Dialog title={words.codesTitle}>
          <RecoveryCodes codes={codes.value} onKept={kept} />
        </Dialog>
      )}
    </Panel>
  );
}
