import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

/** Shown once: the server has only their hashes. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => Promise<unknown> }) {
  const { account: words, actions } = text();
  return (
    <>
      <p>{words.codesHint}</p>
      <ul class="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="form-actions">
        <CopyButton value={codes.join("\n")}>{actions.copy}</CopyButton>
        <Button icon="print" onClick={() => print()}>
          {actions.print}
        </Button>
        <Button kind="primary" onClick={onKept}>
          {words.codesKept}
        </Button>
      </div>
    </>
  );
}
