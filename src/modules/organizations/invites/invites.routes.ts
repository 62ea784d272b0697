import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { sessionReply } from "../../accounts/sign-in/sign-in-reply.ts";
import type { OrganizationDeps } from "../organizations.deps.ts";
import { claimInvite } from "./claim-invite.ts";
import { findInvite } from "./find-invite.ts";
import { ClaimBody, Claimed, InviteTokenRef } from "./invites.schemas.ts";
import { publicInvite } from "./invites.shapes.ts";

/** The invited person's side. Every answer here, as everywhere, is `no-store` and `no-referrer`. */
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
        summary: "Get an invite",
        description: "What whoever holds the token may know of it. 409: it has been used. 410: withdrawn or expired.",
      },
    });

function claimRoute({ maybeSignedIn }: Http, parts: OrganizationDeps) {
  const { passwords, oneAtATime, mailer, publicUrl, linkUrl } = parts;

  return new Elysia({ name: "organizations.claim-invite", tags }).use(maybeSignedIn).post(
    "/auth/org-invites/claim",
    async ({ context, client, body: { cookie = false, ...claim }, set }) => {
      const { session, ...claimed } = await claimInvite(
        { ...context, passwords, oneAtATime, mailer, publicUrl, linkUrl },
        { ...claim, client },
      );
      return { data: { ...claimed, ...(session && { tokens: await sessionReply(parts, set, { session, cookie }) }) } };
    },
    {
      body: ClaimBody,
      response: responses(
        { 200: data(Claimed) },
        400,
        401,
        404,
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
        summary: "Claim an invite",
        description:
          "Makes a new account for the invited address and signs it in, or, when signed in with that address, adds the membership to the account. Where mail is configured, a new account is also sent a link that proves its address. 409: the invite has been used, or is being used; the address has an account and nobody is signed in; somebody else is signed in; they are a member already. 410: withdrawn or expired.",
      },
    },
  );
}
