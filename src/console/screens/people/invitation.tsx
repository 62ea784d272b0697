/** The way of a person to an account: an invite, and the one that was not used yet. */
import { useSignal } from "@preact/signals";
import type { Invite, Person } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { toast } from "../../ui/toast.tsx";
import { InviteLink } from "../settings/invite-link.tsx";
import { InviteMember } from "../settings/invite-member.tsx";
import { InviteStudent } from "../settings/invite-student.tsx";
import type { Role } from "../settings/roles-field.tsx";

/** What an account may do that a person of this function needs. Who rents an aircraft flies, books and pays as a student does. */
const roleOf: Record<Person["types"][number], Role> = {
  student: "student",
  pilot: "student",
  instructor: "instructor",
  mechanic: "mechanic",
  staff: "accountant",
};

type Asked = { kind: "new" } | { kind: "link"; token: string; email: string };

export function Invitation({ person }: { person: Person }) {
  const { person: words, settings } = text();
  const asked = useSignal<Asked | undefined>(undefined);
  const isStudent = person.types.includes("student");
  const canInvite = may("members:manage") && person.status === "active";
  const open = useOpenInvite(person, isStudent, canInvite);
  const close = () => {
    asked.value = undefined;
  };
  const invite = () => {
    asked.value = { kind: "new" };
  };
  const sendAgain = async ({ id }: Pick<Invite, "id">) => {
    const path = { inviteId: id };
    const { data } = await (isStudent
      ? call("POST /orgs/{orgId}/student-invites/{inviteId}/resend", { path })
      : call("POST /orgs/{orgId}/invites/{inviteId}/resend", { path }));
    await changed("/invites", "/student-invites");
    if (data.mailed) toast(settings.invited(data.email));
    else asked.value = { kind: "link", token: data.token, email: data.email };
  };
  return (
    <>
      <p class="quiet">{open ? words.invitedAs(open.email, formatDateTime(open.expires_at)) : words.noLogin}</p>
      {canInvite && (
        <div>
          <Button onClick={() => (open ? sendAgain(open).catch(failed) : invite())}>
            {open ? settings.resend : settings.invite}
          </Button>
        </div>
      )}
      {asked.value?.kind === "link" && (
        <InviteLink {...asked.value} path={isStudent ? "/app/student-invites" : "/app/invites"} onClose={close} />
      )}
      {asked.value?.kind === "new" &&
        (isStudent ? (
          <InviteStudent of={person} onClose={close} />
        ) : (
          <InviteMember
            of={{ email: person.email, roles: [...new Set(person.types.map((type) => roleOf[type]))] }}
            onClose={close}
          />
        ))}
    </>
  );
}

/** A student's invite names the person, a member's the address only. */
function useOpenInvite({ id, email }: Person, isStudent: boolean, canInvite: boolean): Invite | undefined {
  const query = { status: "open", limit: 500 } as const;
  const students = useResource(canInvite && isStudent ? "GET /orgs/{orgId}/student-invites" : undefined, { query });
  const members = useResource(canInvite && !isStudent ? "GET /orgs/{orgId}/invites" : undefined, { query });
  return (
    students.data?.data.find(({ person_id }) => person_id === id) ??
    members.data?.data.find((invite) => invite.email === email?.toLowerCase())
  );
}
