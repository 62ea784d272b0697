import { Elysia } from "elysia";
import { created } from "../../http/created.ts";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import type { AccountParts } from "./accounts.parts.ts";
import { SignedUpAccount, SignUpBody } from "./passwords/password.schemas.ts";
import { sessionReply } from "./sign-in/sign-in-reply.ts";
import { signUp } from "./sign-up.ts";

/** `/auth/signup` */
export const signUpRoutes = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.sign-up", tags: ["Authentication"] }).use(open).post(
    "/auth/signup",
    async ({ context, client, body: { cookie = false, ...input }, set }) => {
      const { mailer, publicUrl, linkUrl, signUp: setting } = parts;
      const passwords = parts.passwords.for(client);
      const deps = { passwords, mailer, publicUrl, linkUrl, signUp: setting };
      const { user, session } = await signUp({ ...context, ...deps }, { ...input, client });
      const tokens = await sessionReply(parts, set, { session, cookie });
      created(set, "/auth/me");
      return { data: { user, tokens } };
    },
    {
      transform: async ({ client, set }) => parts.limits.signUp(set, client),
      body: SignUpBody,
      response: responses({ 201: data(SignedUpAccount) }, 400, 429, "email_taken", "sign_up_closed"),
      detail: {
        summary: "Sign up",
        description:
          "Creates an account without an organization and signs it in. If mail is configured, a link that verifies the e-mail address is mailed. 403: nobody may sign up without an invite. 409: the address already has an account. 10 sign-ups an hour for each client address, including those of organizations.",
      },
    },
  );
