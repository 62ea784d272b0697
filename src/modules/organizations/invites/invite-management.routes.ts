import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import { requires } from "../../../http/before-validation.ts";
import { createdBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import type { Fields } from "../../../http/rate-limit.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { inviteMember } from "./invite-member.ts";
import { inviteStudent } from "./invite-student.ts";
import {
  findMemberInvite,
  findStudentInviteById,
  invitedPeopleGone,
  listInvites,
  readInvite,
  readStudentInvite,
} from "./invites.queries.ts";
import { InviteIdRef, InvitesQuery, NewInvite, NewStudentInvite } from "./invites.schemas.ts";
import { createdInvite, createdStudentInvite, invite, studentInvite } from "./invites.shapes.ts";
import type { InviteMailer } from "./mail-invite.ts";
import { resendInvite } from "./resend-invite.ts";
import { revokeInvite } from "./revoke-invite.ts";

/** The routes of members who invite: `/orgs/{orgId}/invites` and `/orgs/{orgId}/student-invites`. */
export const inviteManagementRoutes = (http: Http, mail: InviteMailer): RoutePlugin =>
  new Elysia({ name: "organizations.invite-management" })
    .use(memberInvites(http, mail))
    .use(studentInvites(http, mail));

const tags = ["Members"];
const once =
  "Only this response shows the token. It is valid for seven days. If a mail server is configured, a mail with a link is sent, at most 60 an hour for each organization and 5 for each address; `mailed` says whether it was. 200 invites an hour for each organization.";
const list =
  "Lists open, claimed, revoked and expired invites, newest first. Invites are deleted 90 days after they expire.";
const one = "Returns it as the list shows it, with its status and without the token.";
const revoke = "The token becomes invalid. 409: the invite is not open.";
const resend =
  "Replaces the token; the new one is valid for seven days. The caller becomes the inviter. 409: the invite is claimed or revoked, or could not be created now. Counts as an invite.";

/** After the permission: a member without it must not use up the organization's invites. */
async function countInvite({ actor }: InOrganization, set: Fields, { limits }: InviteMailer): Promise<void> {
  authorize(actor, "members:manage");
  await limits.invite(set, actor.orgId);
}

const now = ({ clock }: InOrganization) => toInstant(clock.now());

const memberInvites = ({ session }: Http, mail: InviteMailer): RoutePlugin =>
  new Elysia({ name: "organizations.member-invites", prefix: "/orgs/:orgId/invites", tags })
    .use(session)
    .post(
      "",
      async ({ context, body, request, set }) => {
        await countInvite(context, set, mail);
        const invited = await inviteMember({ ...context, mail }, body);
        createdBelow(request, set, invited);
        return { data: invited };
      },
      {
        transform: requires("members:manage"),
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
          description: `${once} An open invite to the same address is revoked. Only an owner invites owners or revokes their invites. 409: the address already belongs to a member.`,
        },
      },
    )
    .get(
      "",
      async ({ context, query }) => {
        const asked = { ...query, orgId: context.actor.orgId, kind: "organization", now: now(context) } as const;
        return listPage(asked, (asked) => context.control.read((reader) => listInvites(reader, asked)));
      },
      {
        transform: requires("members:manage"),
        query: InvitesQuery,
        response: responses({ 200: page(invite.schema) }, 400, 401, 404),
        detail: { summary: "List the invites", description: list },
      },
    )
    .get(
      "/:inviteId",
      async ({ context, params: { inviteId } }) => {
        const sought = { inviteId, orgId: context.actor.orgId, now: now(context) };
        return { data: await context.control.read((reader) => findMemberInvite(reader, sought)) };
      },
      {
        transform: requires("members:manage"),
        params: InviteIdRef,
        response: responses({ 200: data(invite.schema) }, 401, 404),
        detail: { summary: "Get an invite of a member", description: one },
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
      async ({ context, params: { inviteId }, set }) => {
        await countInvite(context, set, mail);
        const sent = await resendInvite({ ...context, mail }, { inviteId, kind: "organization" });
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

const studentInvites = ({ session }: Http, mail: InviteMailer): RoutePlugin =>
  new Elysia({ name: "organizations.student-invites", prefix: "/orgs/:orgId/student-invites", tags })
    .use(session)
    .post(
      "",
      async ({ context, body: { person_id: personId, email }, request, set }) => {
        await countInvite(context, set, mail);
        const invited = await inviteStudent({ ...context, mail }, { personId, email });
        createdBelow(request, set, invited);
        return { data: invited };
      },
      {
        transform: requires("members:manage"),
        body: NewStudentInvite,
        response: responses(
          { 201: shownOnce(data(createdStudentInvite)) },
          400,
          401,
          404,
          "account_linked",
          "own_training_recorded",
          "person_archived",
          "person_linked",
          "person_not_student",
        ),
        detail: {
          summary: "Invite a student",
          description: `The account that claims the invite is linked to the person and gets the role \`student\`. ${once} An open invite for the same person is revoked. 400: there is no such person, or no e-mail address. 409: the person is archived, is not a student or already has an account, or the account with this address is linked to another person or has recorded training of this one.`,
        },
      },
    )
    .get(
      "",
      async ({ context, query }) => {
        const gone = await invitedPeopleGone(context, now(context));
        const asked = { ...query, orgId: context.actor.orgId, kind: "student", now: now(context), gone } as const;
        return listPage(asked, (asked) => context.control.read((reader) => listInvites(reader, asked)));
      },
      {
        transform: requires("members:manage"),
        query: InvitesQuery,
        response: responses({ 200: page(studentInvite.schema) }, 400, 401, 404),
        detail: {
          summary: "List the student invites",
          description: `${list} An invite whose person no longer exists is shown as expired.`,
        },
      },
    )
    .get(
      "/:inviteId",
      async ({ context, params: { inviteId } }) => {
        const gone = await invitedPeopleGone(context, now(context));
        const sought = { inviteId, orgId: context.actor.orgId, now: now(context), gone };
        return { data: await context.control.read((reader) => findStudentInviteById(reader, sought)) };
      },
      {
        transform: requires("members:manage"),
        params: InviteIdRef,
        response: responses({ 200: data(studentInvite.schema) }, 401, 404),
        detail: { summary: "Get an invite of a student", description: one },
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
      async ({ context, params: { inviteId }, set }) => {
        await countInvite(context, set, mail);
        const sent = await resendInvite({ ...context, mail }, { inviteId, kind: "student" });
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
          "own_training_recorded",
          "person_archived",
          "person_deleted",
          "person_linked",
          "person_not_student",
          "wrong_status",
        ),
        detail: { summary: "Send a student invite again", description: resend },
      },
    );
