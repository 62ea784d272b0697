import { Elysia } from "elysia";
import { authorize } from "../../core/actor.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { listPage } from "../../http/list-page.ts";
import { data, page, responses } from "../../http/responses.ts";
import { servedWhileSuspended } from "../../http/while-suspended.ts";
import { changeRoles } from "./change-roles.ts";
import { inviteManagementRoutes } from "./invites/invite-management.routes.ts";
import { inviteRoutes } from "./invites/invites.routes.ts";
import { studentInviteRoutes } from "./invites/student-invites.routes.ts";
import { meRoutes } from "./me/me.routes.ts";
import { applyIntentsWith, type OrganizationDeps } from "./organizations.deps.ts";
import { findMember, findOrganization, listMembers } from "./organizations.queries.ts";
import { MemberPatch, MemberRef, MembersQuery, OrganizationPatch } from "./organizations.schemas.ts";
import { member, organization } from "./organizations.shapes.ts";
import { removeMember } from "./remove-member.ts";
import { signUpRoute } from "./sign-up.routes.ts";
import { updateOrganization } from "./update-organization.ts";

/** `/auth/signup-org`, `/auth/me`, `/auth/…-invites`, and under `/orgs/{orgId}` the organization, its members and its invites. */
export const organizationRoutes = (http: Http, deps: OrganizationDeps) =>
  new Elysia({ name: "organizations" })
    .use(signUpRoute(http, deps))
    .use(meRoutes(http, deps))
    .use(inviteRoutes(http, deps))
    .use(studentInviteRoutes(http, deps))
    .use(settingsRoutes(http, deps))
    .use(memberRoutes(http, deps))
    .use(inviteManagementRoutes(http, deps));

function settingsRoutes({ session }: Http, deps: OrganizationDeps) {
  const applyIntents = applyIntentsWith(deps);

  return new Elysia({ name: "organizations.settings", prefix: "/orgs/:orgId", tags: ["Organizations"] })
    .use(session)
    .get(
      "",
      async ({ context: { actor, control } }) => {
        authorize(actor, "organization:read");
        return jsonData(await control.read((reader) => findOrganization(reader, actor.orgId)));
      },
      {
        transform: servedWhileSuspended,
        response: responses({ 200: data(organization.schema) }, 401, 404),
        detail: {
          summary: "Get the organization",
          description: "Returns its name, kind, approval and settings, also while it is suspended.",
        },
      },
    )
    .patch("", async ({ context, body }) => jsonData(await updateOrganization({ ...context, applyIntents }, body)), {
      transform: requires("organization:manage"),
      body: OrganizationPatch,
      response: responses({ 200: data(organization.schema) }, 400, 401, 404, "program_not_permitted"),
      detail: {
        summary: "Change the organization",
        description:
          "Changes the fields given and leaves the rest. 409 for a `kind` that may not train what students are enrolled in.",
      },
    });
}

function memberRoutes({ session }: Http, deps: OrganizationDeps) {
  const applyIntents = applyIntentsWith(deps);

  return new Elysia({ name: "organizations.members", prefix: "/orgs/:orgId", tags: ["Members"] })
    .use(session)
    .get(
      "/members",
      async ({ context: { actor, control }, query }) => {
        return listPage(query, (query) => control.read((reader) => listMembers(reader, actor.orgId, query)));
      },
      {
        transform: requires("members:read"),
        query: MembersQuery,
        response: responses({ 200: page(member.schema) }, 400, 401, 404),
        detail: { summary: "List the members", description: "Lists the members and their roles, ordered by name." },
      },
    )
    .get(
      "/members/:userId",
      async ({ context: { actor, control }, params: { userId } }) => ({
        data: await control.read((reader) => findMember(reader, actor.orgId, userId)),
      }),
      {
        transform: requires("members:read"),
        params: MemberRef,
        response: responses({ 200: data(member.schema) }, 401, 404),
        detail: { summary: "Get a member", description: "Returns the account's name, address and roles." },
      },
    )
    .patch(
      "/members/:userId",
      async ({ context, params, body }) => ({
        data: await changeRoles(context, { userId: params.userId, roles: body.roles }),
      }),
      {
        transform: requires("members:manage"),
        params: MemberRef,
        body: MemberPatch,
        response: responses(
          { 200: data(member.schema) },
          400,
          401,
          404,
          "owner_required",
          "step_up_required",
          "last_owner",
        ),
        detail: {
          summary: "Change a member's roles",
          description: "Replaces the roles. Only an owner adds or removes owners. 409: the member is the last owner.",
        },
      },
    )
    .delete(
      "/members/:userId",
      async ({ context, params: { userId } }) => {
        const removed = await removeMember(context, { userId });
        await applyIntents(context.actor.orgId);
        return { data: removed };
      },
      {
        params: MemberRef,
        response: responses({ 200: data(member.schema) }, 401, 404, "owner_required", "step_up_required", "last_owner"),
        detail: {
          summary: "Remove a member",
          description:
            "Returns the removed member. Every member may remove themself. Only an owner removes an owner. 409: the member is the last owner. Only the removal of another member requires a step-up.",
        },
      },
    );
}
