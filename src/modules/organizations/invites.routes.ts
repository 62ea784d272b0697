import { Elysia } from "elysia";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import { tokenPair } from "../accounts/token-pair.ts";
import { claimInvite } from "./claim-invite.ts";
import { findInvite } from "./find-invite.ts";
import { ClaimBody, Claimed, InviteRef } from "./invites.schemas.ts";
import { publicInvite } from "./invites.shapes.ts";
import type { OrganizationDeps } from "./organizations.deps.ts";

/** The invited person's side. Every answer here, as everywhere, is `no-store` and `no-referrer`. */
export const inviteRoutes = (http: Http, parts: OrganizationDeps) =>
  new Elysia({ name: "organizations.invites" }).use(showRoute(http)).use(claimRoute(http, parts));

const tags = ["Authentication"];

const showRoute = ({ open }: Http) =>
  new Elysia({ name: "organizations.show-invite", tags })
    .use(open)
    .get("/auth/org-invites/:token", async ({ context, params }) => ({ data: await findInvite(context, params) }), {
      params: InviteRef,
      response: responses({ 200: data(publicInvite.schema) }, 404, 409, 410),
      detail: {
        summary: "Get an invite",
        description: "What whoever holds the token may know of it. 409: it has been used. 410: withdrawn or expired.",
      },
    });

const claimRoute = ({ maybeSignedIn }: Http, parts: OrganizationDeps) =>
  new Elysia({ name: "organizations.claim-invite", tags }).use(maybeSignedIn).post(
    "/auth/org-invites/claim",
    async ({ context, client, body }) => {
      const { session, ...claimed } = await claimInvite(
        { ...context, passwords: parts.passwords },
        { ...body, client },
      );
      return { data: { ...claimed, ...(session && { tokens: await tokenPair(parts, session) }) } };
    },
    {
      body: ClaimBody,
      response: responses({ 200: data(Claimed) }, 400, 401, 404, 409, 410),
      detail: {
        summary: "Claim an invite",
        description:
          "Makes a new account for the invited address and signs it in, or, when signed in with that address, adds the membership to the account. 409: the invite has been used; the address has an account and nobody is signed in; somebody else is signed in; they are a member already. 410: withdrawn or expired.",
      },
    },
  );
