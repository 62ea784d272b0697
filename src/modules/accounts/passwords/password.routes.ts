import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { responses } from "../../../http/responses.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { changePassword } from "./change-password.ts";
import {
  Accepted,
  ForgotPasswordBody,
  PasswordChangeBody,
  PasswordChanged,
  PasswordResetBody,
} from "./password.schemas.ts";
import { requestReset } from "./request-reset.ts";
import { resetPassword } from "./reset-password.ts";

/** `/auth/password`, `/auth/password/forgot`, `/auth/password/reset` */
export const passwordRoutes = (http: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.passwords" })
    .use(changeRoute(http, parts))
    .use(forgotRoute(http, parts))
    .use(resetRoute(http, parts));

const tags = ["Authentication"];

const changeRoute = ({ signedIn }: Http, { limits, passwords, oneAtATime, mailer, publicUrl }: AccountParts) =>
  new Elysia({ name: "accounts.change-password", tags }).use(signedIn).post(
    "/auth/password",
    async ({ context, client, body }) => {
      const change = { currentPassword: body.current_password, newPassword: body.new_password };
      await changePassword({ ...context, passwords: passwords.for(client), oneAtATime, mailer, publicUrl }, change);
      return { status: "password_changed" } as const;
    },
    {
      transform: async ({ context, set }) => limits.changePassword(set, context.actor.userId),
      body: PasswordChangeBody,
      response: responses(
        { 200: PasswordChanged },
        400,
        401,
        429,
        "password_wrong",
        "password_not_set",
        "request_in_progress",
      ),
      detail: {
        operationId: "changePassword",
        summary: "Change the password",
        description:
          "Ends every other session of the caller and makes open reset links void. This session stays open. 401: not signed in, or the current password is wrong. 409: the account has no password, since it signs in through a provider (`POST /auth/password/forgot` sets one), or another change is running. 10 in 15 minutes for each account, including successful ones.",
      },
    },
  );

const forgotRoute = ({ open }: Http, { limits, background, mailer, publicUrl, linkUrl }: AccountParts) =>
  new Elysia({ name: "accounts.forgot-password", tags }).use(open).post(
    "/auth/password/forgot",
    async ({ context, body, set }) => {
      await limits.forgotPassword(set, body.email);
      // After the response, whose time would otherwise reveal whether the address has an account.
      background.run(() => requestReset({ ...context, mailer, publicUrl, linkUrl }, body));
      return { status: "accepted" } as const;
    },
    {
      transform: async ({ client, set }) => limits.forgotPasswordFrom(set, client),
      body: ForgotPasswordBody,
      response: responses({ 200: Accepted }, 400, 429),
      detail: {
        summary: "Request a password reset",
        description:
          "If the address has an account, mails a link that is valid for 30 minutes. The response is the same if it has none. If mail is not configured, nothing is sent; the operator can issue a link on the command line. 3 an hour for each e-mail address, 10 for each client address.",
      },
    },
  );

const resetRoute = ({ open }: Http, { passwords, oneAtATime, mailer, publicUrl }: AccountParts) =>
  new Elysia({ name: "accounts.reset-password", tags }).use(open).post(
    "/auth/password/reset",
    async ({ context, client, body }) => {
      await resetPassword({ ...context, passwords: passwords.for(client), oneAtATime, mailer, publicUrl }, body);
      return { status: "password_changed" } as const;
    },
    {
      body: PasswordResetBody,
      response: responses(
        { 200: PasswordChanged },
        400,
        404,
        "link_used",
        "request_in_progress",
        "link_expired",
        "link_void",
      ),
      detail: {
        summary: "Reset the password",
        description:
          "Sets a password with the token of a link and ends every session of the account. Providers that were linked later are unlinked. The second factor stays and is required at the next sign-in. An account with an unverified address loses its second factor and all linked providers, since another person may have created it. 409: the link was already used, or another request is using it. 410: the link has expired.",
      },
    },
  );
