/** Sets up an authenticator app: the code to scan, the same to type, and a first code as the proof. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StartedMfaEnrollment } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { SvgImage } from "../../ui/svg-image.tsx";
import { CodeField } from "./code-field.tsx";

interface EnrollmentProps {
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
}

export function Enrollment({ onClose, onCodes }: EnrollmentProps) {
  const { account: words } = text();
  const started = useSignal<StartedMfaEnrollment | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const start = () =>
    call("POST /auth/mfa/enroll/start").then(
      ({ data }) => {
        started.value = data;
      },
      (error) => {
        problem.value = error;
      },
    );
  useEffect(() => void start(), []);
  const { value: enrollment } = started;
  return (
    <Dialog title={words.setUpFactor} onClose={onClose}>
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      {!enrollment && problem.value === undefined && <Skeleton lines={6} />}
      {enrollment && <Confirmation {...{ enrollment, onCodes }} />}
    </Dialog>
  );
}

function Confirmation({
  enrollment,
  onCodes,
}: { enrollment: StartedMfaEnrollment } & Pick<EnrollmentProps, "onCodes">) {
  const { account: words, signIn } = text();
  const { secret, otpauth_uri, qr_svg } = enrollment;
  const code = useSignal("");
  const verify = async () => {
    const { data } = await call("POST /auth/mfa/enroll/verify", { body: { code: code.value.trim() } });
    onCodes(data.recovery_codes);
  };
  return (
    <>
      <p>{words.scan}</p>
      <SvgImage svg={qr_svg} alt={words.qrCode} />
      <p class="quiet small">{words.orType}</p>
      <div class="spread">
        <span class="mono">{secret.replace(/(.{4})(?=.)/g, "$1 ")}</span>
        <CopyButton value={secret}>{text().actions.copy}</CopyButton>
      </div>
      <p class="small">
        <a href={otpauth_uri}>{words.openInApp}</a>
      </p>
      <Form onSubmit={verify}>
        <CodeField value={code} hint={words.firstCodeHint} />
        <div class="form-actions">
          <Submit busyText={signIn.verifying}>{words.switchOn}</Submit>
        </div>
      </Form>
    </>
  );
}
