import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { sessionReply } from "../../accounts/sign-in/sign-in-reply.ts";
import { applyIntentsWith, type OrganizationDeps } from "../organizations.deps.ts";
import { claimStudentInvite } from "./claim-student-invite.ts";
import { findStudentInvite } from "./find-student-invite.ts";
import { StudentClaimBody, StudentClaimed, StudentInviteTokenRef } from "./invites.schemas.ts";
import { publicStudentInvite } from "./invites.shapes.ts";

/** The routes of invited students. Both read the tenant database, so they declare 503 themselves. */
export const studentInviteRoutes = (http: Http, parts: OrganizationDeps) =>
  new Elysia({ name: "organizations.student-invite" }).use(showRoute(http, parts)).use(claimRoute(http, parts));

const tags = ["Authentication"];

const showRoute = ({ open }: Http, { tenants }: OrganizationDeps) =>
  new Elysia({ name: "organizations.show-student-invite", tags })
    .use(open)
    .get(
      "/auth/student-invites/:token",
      async ({ context, params }) => ({ data: await findStudentInvite({ ...context, tenants }, params) }),
      {
        params: StudentInviteTokenRef,
        response: responses(
          { 200: data(publicStudentInvite) },
          400,
          404,
          503,
          "invite_claimed",
          "person_archived",
          "person_linked",
          "invite_expired",
          "invite_revoked",
          "invited_person_deleted",
          "inviter_not_permitted",
        ),
        detail: {
          operationId: "getStudentInviteByToken",
          summary: "Get a student invite",
          description:
            "Returns what the holder of the token may see. 400: the token is malformed. 409: the invite was already claimed, or the person is archived or linked to another account. 410: the invite is revoked or expired, or the person was deleted.",
        },
      },
    );

function claimRoute({ maybeSignedIn }: Http, parts: OrganizationDeps) {
  const { passwords, limits, oneAtATime, mailer, publicUrl, linkUrl, tenants } = parts;
  const applyIntents = applyIntentsWith(parts);

  return new Elysia({ name: "organizations.claim-student-invite", tags }).use(maybeSignedIn).post(
    "/auth/student-invites/claim",
    async ({ context, client, body: { cookie = false, ...claim }, set }) => {
      const { session, ...claimed } = await claimStudentInvite(
        {
          ...context,
          passwords: passwords.for(client),
          oneAtATime,
          mailer,
          publicUrl,
          linkUrl,
          tenants,
          applyIntents,
        },
        { ...claim, client },
      );
      return { data: { ...claimed, ...(session && { tokens: await sessionReply(parts, set, { session, cookie }) }) } };
    },
    {
      transform: async ({ client, set }) => limits.claim(set, client),
      body: StudentClaimBody,
      response: responses(
        { 200: data(StudentClaimed) },
        400,
        401,
        404,
        429,
        503,
        "account_linked",
        "email_taken",
        "invite_claimed",
        "invite_for_other_email",
        "own_training_recorded",
        "person_archived",
        "person_linked",
        "request_in_progress",
        "invite_expired",
        "invite_revoked",
        "invited_person_deleted",
        "inviter_not_permitted",
      ),
      detail: {
        operationId: "claimStudentInvite",
        summary: "Claim a student invite",
        description:
          "If the caller is not signed in, creates an account for the invited address and signs it in. If the caller is signed in with that address, adds the role `student` to the account. The account is then linked to the invited person. If mail is configured, a new account gets a mail with a link that verifies its address. 409: the invite was already claimed, or another request is using it; the address has an account and the caller is not signed in to it; the person is archived or linked to another account, or the account to another person; the account has recorded training of the person. 410: the invite is revoked or expired, or the person was deleted. 60 an hour for each client address, including claims of other invites.",
      },
    },
  );
}
