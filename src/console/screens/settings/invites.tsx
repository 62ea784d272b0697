/** Who has been invited: members by their address, students as a person of the school. */
import { useSignal } from "@preact/signals";
import type { Invite, StudentInvite } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { List, pageLimit } from "../../ui/list.tsx";
import { Empty, ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { InviteLink } from "./invite-link.tsx";
import { InviteMember } from "./invite-member.tsx";
import { InviteStudent } from "./invite-student.tsx";
import { Tabs } from "./tabs.tsx";

const statuses = ["open", "claimed", "revoked", "expired"] as const;
const tones: Record<(typeof statuses)[number], Tone> = {
  open: "info",
  claimed: "good",
  revoked: "neutral",
  expired: "warn",
};

/** The two kinds have the same moves, at paths of their own. */
const kinds = {
  members: {
    list: "GET /orgs/{orgId}/invites",
    resend: "POST /orgs/{orgId}/invites/{inviteId}/resend",
    revoke: "DELETE /orgs/{orgId}/invites/{inviteId}",
    page: "/app/invites",
  },
  students: {
    list: "GET /orgs/{orgId}/student-invites",
    resend: "POST /orgs/{orgId}/student-invites/{inviteId}/resend",
    revoke: "DELETE /orgs/{orgId}/student-invites/{inviteId}",
    page: "/app/student-invites",
  },
} as const;

type Row = Invite | StudentInvite;

export default function Invites() {
  const { settings: words, roles: names, people } = text();
  const { query } = place.value;
  const kind = query.get("kind") === "students" ? "students" : "members";
  const status = statuses.find((one) => one === query.get("status"));
  const cursor = query.get("cursor") ?? undefined;
  const { list, resend, revoke, page } = kinds[kind];
  const invites = useResource(list, {
    query: { limit: pageLimit, ...(status && { status }), ...(cursor !== undefined && { cursor }) },
  });
  const problem = useSignal<unknown>(undefined);
  const adding = useSignal<typeof kind | undefined>(undefined);
  const link = useSignal<{ token: string; email: string } | undefined>(undefined);

  const add = (wanted: typeof adding.value) => {
    adding.value = wanted;
  };
  const show = (made: typeof link.value) => {
    link.value = made;
  };

  const attempt = async (work: () => Promise<unknown>) => {
    problem.value = undefined;
    try {
      await work();
      await changed("/invites", "/student-invites");
    } catch (error) {
      problem.value = error;
    }
  };
  const sendAgain = ({ id }: Row) =>
    attempt(async () => {
      const { data } = await call(resend, { path: { inviteId: id } });
      if (data.mailed) toast(words.invited(data.email));
      else show({ token: data.token, email: data.email });
    });
  const withdraw = ({ id, email }: Row) =>
    attempt(async () => {
      await call(revoke, { path: { inviteId: id } });
      toast(words.revoked(email));
    });

  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Button onClick={() => add("students")}>{words.inviteStudent}</Button>
          <Button kind="primary" icon="plus" onClick={() => add("members")}>
            {words.invite}
          </Button>
        </div>
      </div>
      <Tabs />
      <search class="filters">
        <Choice
          label={words.kind}
          value={kind}
          options={[
            { value: "members", label: words.members },
            { value: "students", label: words.students },
          ]}
          onChange={(value) => setQuery({ kind: value === "members" ? undefined : value, cursor: undefined })}
        />
        <Choice
          label={people.status}
          value={status ?? ""}
          options={[
            { value: "", label: people.all },
            ...statuses.map((value) => ({ value, label: words.statuses[value] })),
          ]}
          onChange={(value) => setQuery({ status: value, cursor: undefined })}
        />
      </search>
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      <List<Row>
        label={words.invites}
        resource={invites}
        filters={["status"]}
        columns={[
          { label: people.email, cell: ({ email }) => email },
          { label: words.roles, cell: ({ roles }) => roles.map((role) => names[role]).join(", ") },
          {
            label: people.status,
            cell: (invite) => <Badge tone={tones[invite.status]}>{words.statuses[invite.status]}</Badge>,
          },
          { label: words.validUntil, cell: ({ expires_at }) => formatDateTime(expires_at), isDesk: true },
          {
            label: words.change,
            cell: (invite) => (
              <span class="form-actions">
                {(invite.status === "open" || invite.status === "expired") && (
                  <Button kind="plain" onClick={() => sendAgain(invite)}>
                    {words.resend}
                    <span class="visually-hidden"> {invite.email}</span>
                  </Button>
                )}
                {invite.status === "open" && (
                  <Button kind="plain" onClick={() => withdraw(invite)}>
                    {words.revoke}
                    <span class="visually-hidden"> {invite.email}</span>
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        empty={<Empty title={words.noInvites}>{words.noInvitesHint}</Empty>}
      />
      {adding.value === "members" && <InviteMember onClose={() => add(undefined)} />}
      {adding.value === "students" && <InviteStudent onClose={() => add(undefined)} />}
      {link.value && <InviteLink path={page} {...link.value} onClose={() => show(undefined)} />}
    </>
  );
}
