/** Changes a member's roles, or ends the membership. What needs a fresh code is asked for, and goes on. */
import { useSignal } from "@preact/signals";
import type { Member } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call, me, reloadMe } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Role, RolesField } from "./roles-field.tsx";

export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { settings: words, actions } = text();
  const { user_id: userId, name, email } = member;
  const roles = useSignal<readonly Role[]>(member.roles);
  const isRemoving = useSignal(false);
  const isSelf = userId === me.value?.user.id;

  const done = async (message: string) => {
    toast(message);
    await (isSelf ? reloadMe() : changed("/members"));
    onClose();
  };
  const save = async () => {
    await call("PATCH /orgs/{orgId}/members/{userId}", { path: { userId }, body: { roles: [...roles.value] } });
    await done(words.rolesChanged(name));
  };
  const remove = async () => {
    await call("DELETE /orgs/{orgId}/members/{userId}", { path: { userId } });
    await done(words.removed(name));
  };

  if (isRemoving.value)
    return (
      <Confirm
        title={isSelf ? words.leaveTitle : words.removeTitle(name)}
        action={isSelf ? words.leave : words.remove}
        onConfirm={remove}
        onClose={onClose}
      >
        {isSelf ? words.leaveHint : words.removeHint}
      </Confirm>
    );
  return (
    <Dialog title={name} onClose={onClose}>
      <p class="quiet">{email}</p>
      <Form onSubmit={save}>
        <RolesField value={roles} held={member.roles} />
        <div class="form-actions">
          <Submit>{actions.save}</Submit>
          <Button
            kind="danger"
            onClick={() => {
              isRemoving.value = true;
            }}
          >
            {isSelf ? words.leave : words.remove}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
