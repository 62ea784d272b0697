/** Invites somebody by e-mail address. Where no mail is sent, the link is there to be handed on: it is shown once. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { InviteLink } from "./invite-link.tsx";
import { type Role, RolesField } from "./roles-field.tsx";

interface InviteMemberProps {
  /** On the page of a person: their address, and what they do. */
  of?: { email: string | null; roles: readonly Role[] };
  onClose: () => void;
}

export function InviteMember({ of: known, onClose }: InviteMemberProps) {
  const { settings: words, people } = text();
  const email = useSignal(known?.email ?? "");
  const roles = useSignal<readonly Role[]>(known?.roles ?? ["student"]);
  const token = useSignal<string | undefined>(undefined);

  const invite = async () => {
    const { data } = await call("POST /orgs/{orgId}/invites", {
      body: { email: email.value, roles: [...roles.value] },
    });
    await changed("/invites");
    if (!data.mailed) {
      token.value = data.token;
      return;
    }
    toast(words.invited(data.email));
    onClose();
  };

  if (token.value !== undefined)
    return <InviteLink path="/app/invites" token={token.value} email={email.value} onClose={onClose} />;
  return (
    <Dialog title={words.invite} onClose={onClose}>
      <Form onSubmit={invite}>
        <TextField name="email" label={people.email} value={email} type="email" required autoFocus />
        <RolesField value={roles} />
        {known === undefined && roles.value.includes("student") && <p class="quiet small">{words.studentHint}</p>}
        <div class="form-actions">
          <Submit busyText={words.inviting}>{words.invite}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
