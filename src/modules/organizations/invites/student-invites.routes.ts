import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { sessionReply } from "../../accounts/sign-in/sign-in-reply.ts";
import { applyIntentsWith, type OrganizationDeps } from "../organizations.deps.ts";
import { claimStudentInvite } from "./claim-student-invite.ts";
import { findStudentInvite } from "./find-student-invite.ts";
import { StudentClaimBody, StudentClaimed, StudentInviteTokenRef } from "./invites.schemas.ts";
import { publicStudentInvite } from "./invites.shapes.ts";

/** The invited student's side. Both look into the organization's records, so both may find them out of reach (503). */
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
          "person_linked",
          "invite_expired",
          "invite_revoked",
          "invited_person_deleted",
          "inviter_not_permitted",
        ),
        detail: {
          summary: "Get a student invite",
          description:
            "What whoever holds the token may know of it. 400: this is not the form of a token. 409: it has been used, or the person has another account by now. 410: withdrawn or expired, or the person is no longer in the records.",
        },
      },
    );

function claimRoute({ maybeSignedIn }: Http, parts: OrganizationDeps) {
  const { passwords, oneAtATime, mailer, publicUrl, linkUrl, tenants } = parts;
  const applyIntents = applyIntentsWith(parts);

  return new Elysia({ name: "organizations.claim-student-invite", tags }).use(maybeSignedIn).post(
    "/auth/student-invites/claim",
    async ({ context, client, body: { cookie = false, ...claim }, set }) => {
      const { session, ...claimed } = await claimStudentInvite(
        { ...context, passwords, oneAtATime, mailer, publicUrl, linkUrl, tenants, applyIntents },
        { ...claim, client },
      );
      return { data: { ...claimed, ...(session && { tokens: await sessionReply(parts, set, { session, cookie }) }) } };
    },
    {
      body: StudentClaimBody,
      response: responses(
        { 200: data(StudentClaimed) },
        400,
        401,
        404,
        503,
        "account_linked",
        "email_taken",
        "invite_claimed",
        "invite_for_other_email",
        "person_linked",
        "request_in_progress",
        "invite_expired",
        "invite_revoked",
        "invited_person_deleted",
        "inviter_not_permitted",
      ),
      detail: {
        summary: "Claim a student invite",
        description:
          "Makes a new account for the invited address and signs it in, or, when signed in with that address, adds the role `student` to the account. Either becomes the person whom the invite names. Where mail is configured, a new account is also sent a link that proves its address. 409: the invite has been used, or is being used; the address has an account and nobody is signed in; somebody else is signed in; the person has another account, or the account is another person here. 410: withdrawn or expired, or the person is no longer in the records.",
      },
    },
  );
}
