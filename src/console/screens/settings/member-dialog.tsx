/** Changes a member's roles, or ends the membership. What needs a fresh code is asked for, and goes on. */
import { useSignal } from "@preact/signals";
import type { Member } from "../../api/operations.ts";
import { act, change } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { me, reloadMe } from "../../app/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Role, RolesField } from "./roles-field.tsx";

export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { settings: words, roles: names, actions } = text();
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
    const shown = (value: unknown) => (value as Role[]).map((role) => names[role]).join(", ");
    await change(
      "/orgs/{orgId}/members/{userId}",
      { userId },
      { roles: [...roles.value] },
      {
        before: member,
        fields: { roles: { label: words.roles, shown, isList: true } },
      },
    );
    await done(words.rolesChanged(name));
  };
  const remove = async () => {
    await act("DELETE /orgs/{orgId}/members/{userId}", { path: { userId } }, member);
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
        <FormFoot
          submit={actions.save}
          remove={isSelf ? words.leave : words.remove}
          onRemove={() => {
            isRemoving.value = true;
          }}
        />
      </Form>
    </Dialog>
  );
}
