/** Who signs in to this school, and what they may do. */
import { useSignal } from "@preact/signals";
import type { Member } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place } from "../../app/router.ts";
import { me } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { InviteMember } from "./invite-member.tsx";
import { MemberDialog } from "./member-dialog.tsx";
import { Tabs } from "./tabs.tsx";

const orders = ["name", "-name", "-joined_at"] as const;

export default function Members() {
  const { settings: words, roles: names, people, actions } = text();
  const cursor = place.value.query.get("cursor") ?? undefined;
  const members = useResource("GET /orgs/{orgId}/members", {
    query: { limit: pageLimit, ...chosenOrder(orders), ...(cursor !== undefined && { cursor }) },
  });
  const chosen = useSignal<Member | undefined>(undefined);
  const isInviting = useSignal(false);
  const canManage = may("members:manage");
  const rows = members.data && {
    ...members.data,
    data: members.data.data.map((member) => ({ ...member, id: member.user_id })),
  };
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        {canManage && (
          <div class="actions">
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                isInviting.value = true;
              }}
            >
              {words.invite}
            </Button>
          </div>
        )}
      </div>
      <Tabs />
      <List<Member & { id: string }>
        label={words.members}
        resource={{ ...members, data: rows }}
        filters={[]}
        order="name"
        columns={[
          {
            label: people.name,
            orders: ["name", "-name"],
            cell: ({ name, user_id }) => (
              <>
                {name}
                {user_id === me.value?.user.id && <span class="quiet"> ({words.you})</span>}
              </>
            ),
          },
          { label: people.email, cell: ({ email }) => email },
          { label: words.roles, cell: ({ roles }) => roles.map((role) => names[role]).join(", ") },
          { label: words.joined, cell: ({ joined_at }) => formatDate(joined_at), isDesk: true, orders: ["-joined_at"] },
          ...(canManage
            ? [
                {
                  label: words.change,
                  isActions: true,
                  cell: (member: Member) => (
                    <Button
                      kind="plain"
                      onClick={() => {
                        chosen.value = member;
                      }}
                    >
                      {actions.edit}
                      <span class="visually-hidden"> {member.name}</span>
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
        empty={<Empty title={words.noMembers} />}
      />
      {chosen.value && (
        <MemberDialog
          member={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
      {isInviting.value && (
        <InviteMember
          onClose={() => {
            isInviting.value = false;
          }}
        />
      )}
    </>
  );
}
