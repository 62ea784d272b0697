import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface InviteLinkProps {
  path: "/app/invites" | "/app/student-invites";
  token: string;
  email: string;
  onClose: () => void;
}

/** The link of an invite that was not mailed. It can't be shown again. */
export function InviteLink({ path, token, email, onClose }: InviteLinkProps) {
  const { settings: words, actions } = text();
  const link = `${location.origin}${path}#token=${token}`;
  return (
    <Dialog title={words.linkTitle} onClose={onClose}>
      <p>{words.linkHint(email)}</p>
      <p class="mono link">{link}</p>
      <div class="form-actions">
        <CopyButton value={link}>{words.copyLink}</CopyButton>
        <Button onClick={onClose}>{actions.done}</Button>
      </div>
    </Dialog>
  );
}
