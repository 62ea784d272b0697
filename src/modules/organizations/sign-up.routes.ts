import { Elysia } from "elysia";
import { created } from "../../http/created.ts";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import { sessionReply } from "../accounts/sign-in/sign-in-reply.ts";
import type { OrganizationDeps } from "./organizations.deps.ts";
import { SignUpBody } from "./organizations.schemas.ts";
import { signedUp } from "./organizations.shapes.ts";
import { signUpOrganization } from "./sign-up-organization.ts";

export function signUpRoute({ open }: Http, parts: OrganizationDeps) {
  const { passwords, tenants, limits, mailer, publicUrl, linkUrl, signUp } = parts;
  const deps = { tenants, mailer, publicUrl, linkUrl, signUp };

  return new Elysia({ name: "organizations.sign-up", tags: ["Authentication"] }).use(open).post(
    "/auth/signup-org",
    async ({ context, client, body: { cookie = false, ...input }, set }) => {
      const { user, organization, session } = await signUpOrganization(
        { ...context, ...deps, passwords: passwords.for(client) },
        { ...input, client },
      );
      const tokens = await sessionReply(parts, set, { session, cookie });
      created(set, `/orgs/${organization.id}`);
      return { data: { user, organization, tokens } };
    },
    {
      transform: async ({ client, set }) => limits.signUp(set, client),
      body: SignUpBody,
      response: responses({ 201: data(signedUp) }, 400, 429, 503, "email_taken", "sign_up_closed"),
      detail: {
        summary: "Sign up an organization",
        description:
          "Creates an account, an organization and its empty database. The account is the owner and is signed in. 403: nobody may sign up without an invite. 409: the e-mail address already has an account. 10 an hour for each client address.",
      },
    },
  );
}
