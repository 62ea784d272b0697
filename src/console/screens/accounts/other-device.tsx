/** Signs another device in to this account: by a link that works once and for a minute, as a code to scan. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { renderSVG } from "uqr";
import { text } from "../../app/language.ts";
import { changedAccount } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { SvgImage } from "../../ui/svg-image.tsx";

interface Offer {
  link: string;
  /** Milliseconds. */
  lifetime: number;
}

export function OtherDevice({ onClose }: { onClose: () => void }) {
  const { handOff: words } = text();
  const offer = useSignal<Offer | undefined>(undefined);
  const isOver = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const start = async () => {
    problem.value = undefined;
    try {
      const { token, expires_in } = await call("POST /auth/establish-token");
      offer.value = { link: `${location.origin}/app/link#device=${token}`, lifetime: expires_in * 1000 };
      isOver.value = false;
    } catch (error) {
      problem.value = error;
    }
  };
  useEffect(() => void start(), []);
  useEffect(() => {
    if (!offer.value) return;
    const timer = setTimeout(() => {
      isOver.value = true;
    }, offer.value.lifetime);
    return () => clearTimeout(timer);
  }, [offer.value]);
  const close = () => {
    onClose();
    // The other device is among them now.
    void changedAccount("/auth/sessions");
  };
  return (
    <Dialog title={words.another} onClose={close}>
      {problem.value !== undefined && <ProblemNotice error={problem.value} retry={start} />}
      {!offer.value && problem.value === undefined && <Skeleton lines={6} />}
      {offer.value && !isOver.value && (
        <>
          <p>{words.scan}</p>
          <SvgImage svg={renderSVG(offer.value.link)} alt={words.qrCode} />
          <div class="form-actions">
            <CopyButton value={offer.value.link}>{words.copyLink}</CopyButton>
          </div>
        </>
      )}
      {offer.value && isOver.value && (
        <>
          <p role="status">{words.isOver}</p>
          <div class="form-actions">
            <Button kind="primary" onClick={start}>
              {words.again}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
