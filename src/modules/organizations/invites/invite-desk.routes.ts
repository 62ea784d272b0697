import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { data, page, responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { inviteMember } from "./invite-member.ts";
import { inviteStudent } from "./invite-student.ts";
import { listInvites, readInvite, readStudentInvite } from "./invites.queries.ts";
import { InviteIdRef, InvitesQuery, NewInvite, NewStudentInvite } from "./invites.schemas.ts";
import { createdInvite, createdStudentInvite, invite, studentInvite } from "./invites.shapes.ts";
import type { InvitePost } from "./mail-invite.ts";
import { resendInvite } from "./resend-invite.ts";
import { revokeInvite } from "./revoke-invite.ts";

/** The inviters' side: `/orgs/{orgId}/invites` and `/orgs/{orgId}/student-invites`. */
export const inviteDeskRoutes = (http: Http, post: InvitePost) =>
  new Elysia({ name: "organizations.invite-desk" }).use(memberDesk(http, post)).use(studentDesk(http, post));

const tags = ["Members"];
const once =
  "The token is shown this once, valid for seven days, and mailed as a link where there is a mail server: 60 an hour for each organization and 5 for each address; `mailed` says whether it was.";
const list = "The newest first: open, claimed, revoked and expired ones. 90 days after they expired they are deleted.";
const revoke = "Its token leads nowhere from then on. 409: it is not open.";
const resend =
  "A new token in place of the old one, and seven days from now; whoever does this stands for the invite from then on. 409: it is claimed or revoked, or could not be made today.";

const now = ({ clock }: InOrganization) => toInstant(clock.now());

const memberDesk = ({ session }: Http, post: InvitePost) =>
  new Elysia({ name: "organizations.member-invites", prefix: "/orgs/:orgId/invites", tags })
    .use(session)
    .post(
      "",
      async ({ context, body, set }) => {
        set.status = 201;
        return { data: await inviteMember({ ...context, post }, body) };
      },
      {
        body: NewInvite,
        response: responses(
          { 201: shownOnce(data(createdInvite)) },
          400,
          401,
          404,
          "owner_required",
          "step_up_required",
          "already_member",
        ),
        detail: {
          summary: "Invite a member",
          description: `${once} An open invite to the same address is withdrawn. Only an owner invites owners, or withdraws their invites. 409: they are a member already.`,
        },
      },
    )
    .get(
      "",
      async ({ context, query }) => {
        authorize(context.actor, "members:manage");
        const asked = { ...query, orgId: context.actor.orgId, kind: "organization", now: now(context) } as const;
        return jsonText(await context.control.read((reader) => listInvites(reader, asked)));
      },
      {
        query: InvitesQuery,
        response: responses({ 200: page(invite.schema) }, 400, 401, 404),
        detail: { summary: "List the invites", description: list },
      },
    )
    .delete(
      "/:inviteId",
      async ({ context, params: { inviteId } }) => {
        await revokeInvite(context, { inviteId, kind: "organization" });
        return { data: await context.control.read((reader) => readInvite(reader, inviteId, now(context))) };
      },
      {
        params: InviteIdRef,
        response: responses({ 200: data(invite.schema) }, 401, 404, "owner_required", "wrong_status"),
        detail: { summary: "Revoke an invite", description: revoke },
      },
    )
    .post(
      "/:inviteId/resend",
      async ({ context, params: { inviteId } }) => {
        const sent = await resendInvite({ ...context, post }, { inviteId, kind: "organization" });
        const seen = await context.control.read((reader) => readInvite(reader, inviteId, now(context)));
        return { data: { ...seen, ...sent } };
      },
      {
        params: InviteIdRef,
        response: responses(
          { 200: shownOnce(data(createdInvite)) },
          401,
          404,
          "owner_required",
          "step_up_required",
          "already_member",
          "wrong_status",
        ),
        detail: { summary: "Send an invite again", description: resend },
      },
    );

const studentDesk = ({ session }: Http, post: InvitePost) =>
  new Elysia({ name: "organizations.student-invites", prefix: "/orgs/:orgId/student-invites", tags })
    .use(session)
    .post(
      "",
      async ({ context, body: { person_id: personId, email }, set }) => {
        set.status = 201;
        return { data: await inviteStudent({ ...context, post }, { personId, email }) };
      },
      {
        body: NewStudentInvite,
        response: responses(
          { 201: shownOnce(data(createdStudentInvite)) },
          400,
          401,
          404,
          "account_linked",
          "person_linked",
          "person_not_student",
        ),
        detail: {
          summary: "Invite a student",
          description: `Whoever claims the invite becomes the person named, with the role \`student\`. ${once} An open invite of the same person is withdrawn. 400: there is no such person, or no address. 409: the person is no student, or has an account; or the account with this address is another person here.`,
        },
      },
    )
    .get(
      "",
      async ({ context, query }) => {
        authorize(context.actor, "members:manage");
        const asked = { ...query, orgId: context.actor.orgId, kind: "student", now: now(context) } as const;
        return jsonText(await context.control.read((reader) => listInvites(reader, asked)));
      },
      {
        query: InvitesQuery,
        response: responses({ 200: page(studentInvite.schema) }, 400, 401, 404),
        detail: { summary: "List the student invites", description: list },
      },
    )
    .delete(
      "/:inviteId",
      async ({ context, params: { inviteId } }) => {
        await revokeInvite(context, { inviteId, kind: "student" });
        return { data: await context.control.read((reader) => readStudentInvite(reader, inviteId, now(context))) };
      },
      {
        params: InviteIdRef,
        response: responses({ 200: data(studentInvite.schema) }, 401, 404, "wrong_status"),
        detail: { summary: "Revoke a student invite", description: revoke },
      },
    )
    .post(
      "/:inviteId/resend",
      async ({ context, params: { inviteId } }) => {
        const sent = await resendInvite({ ...context, post }, { inviteId, kind: "student" });
        const seen = await context.control.read((reader) => readStudentInvite(reader, inviteId, now(context)));
        return { data: { ...seen, ...sent } };
      },
      {
        params: InviteIdRef,
        response: responses(
          { 200: shownOnce(data(createdStudentInvite)) },
          401,
          404,
          "account_linked",
          "person_deleted",
          "person_linked",
          "person_not_student",
          "wrong_status",
        ),
        detail: { summary: "Send a student invite again", description: resend },
      },
    );
