import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { sessionReply } from "../../accounts/sign-in/sign-in-reply.ts";
import type { OrganizationDeps } from "../organizations.deps.ts";
import { claimInvite } from "./claim-invite.ts";
import { findInvite } from "./find-invite.ts";
import { ClaimBody, Claimed, InviteTokenRef } from "./invites.schemas.ts";
import { publicInvite } from "./invites.shapes.ts";

/** The routes of invited persons. Their responses are `no-store` and `no-referrer`, like all others. */
export const inviteRoutes = (http: Http, parts: OrganizationDeps) =>
  new Elysia({ name: "organizations.invites" }).use(showRoute(http)).use(claimRoute(http, parts));

const tags = ["Authentication"];

const showRoute = ({ open }: Http) =>
  new Elysia({ name: "organizations.show-invite", tags })
    .use(open)
    .get("/auth/org-invites/:token", async ({ context, params }) => ({ data: await findInvite(context, params) }), {
      params: InviteTokenRef,
      response: responses(
        { 200: data(publicInvite.schema) },
        404,
        "invite_claimed",
        "invite_expired",
        "invite_revoked",
        "inviter_not_permitted",
      ),
      detail: {
        operationId: "getOrgInviteByToken",
        summary: "Get an invite",
        description:
          "Returns what the holder of the token may see. 409: the invite was already claimed. 410: it is revoked or expired.",
      },
    });

function claimRoute({ maybeSignedIn }: Http, parts: OrganizationDeps) {
  const { passwords, limits, oneAtATime, mailer, publicUrl, linkUrl } = parts;

  return new Elysia({ name: "organizations.claim-invite", tags }).use(maybeSignedIn).post(
    "/auth/org-invites/claim",
    async ({ context, client, body: { cookie = false, ...claim }, set }) => {
      const { session, ...claimed } = await claimInvite(
        { ...context, passwords: passwords.for(client), oneAtATime, mailer, publicUrl, linkUrl },
        { ...claim, client },
      );
      return { data: { ...claimed, ...(session && { tokens: await sessionReply(parts, set, { session, cookie }) }) } };
    },
    {
      transform: async ({ client, set }) => limits.claim(set, client),
      body: ClaimBody,
      response: responses(
        { 200: data(Claimed) },
        400,
        401,
        404,
        429,
        "already_member",
        "email_taken",
        "invite_claimed",
        "invite_for_other_email",
        "request_in_progress",
        "invite_expired",
        "invite_revoked",
        "inviter_not_permitted",
      ),
      detail: {
        operationId: "claimOrgInvite",
        summary: "Claim an invite",
        description:
          "If the caller is not signed in, creates an account for the invited address and signs it in. If the caller is signed in with that address, adds the membership to the account. If mail is configured, a new account gets a mail with a link that verifies its address. 409: the invite was already claimed, or another request is using it; the address has an account and the caller is not signed in to it; or the account is already a member. 410: the invite is revoked or expired. 60 an hour for each client address, including claims of student invites.",
      },
    },
  );
}
