import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { responses } from "../../../http/responses.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { EmailProofBody, EmailVerified, VerificationSent } from "../passwords/password.schemas.ts";
import { sendVerification } from "./send-verification.ts";
import { verifyEmail } from "./verify-email.ts";

/** `/auth/email/verification`, `/auth/email/verify` */
export const emailRoutes = (http: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.email" }).use(sendRoute(http, parts)).use(verifyRoute(http, parts));

const tags = ["Authentication"];

const sendRoute = ({ signedIn }: Http, { limits, mailer, publicUrl, linkUrl }: AccountParts) =>
  new Elysia({ name: "accounts.send-verification", tags }).use(signedIn).post(
    "/auth/email/verification",
    async ({ context, set }) => {
      await sendVerification({ ...context, mailer, publicUrl, linkUrl, interval: limits.verificationMails(set) });
      return { status: "sent" } as const;
    },
    {
      response: responses({ 200: VerificationSent }, 401, 429, "email_already_verified", "mail_not_configured"),
      detail: {
        operationId: "sendEmailVerification",
        summary: "Send a link that verifies the e-mail address",
        description:
          "Mails the link to the caller's address. It is valid for 24 hours. 409: the address is already verified, or mail is not configured. One an hour for each address, including that of the sign-up or the claim of an invite; 429: the time in `Retry-After` has not passed.",
      },
    },
  );

const verifyRoute = ({ maybeSignedIn }: Http, { limits, passwords, oneAtATime }: AccountParts) =>
  new Elysia({ name: "accounts.verify-email", tags }).use(maybeSignedIn).post(
    "/auth/email/verify",
    async ({ context, client, body, set }) => {
      const attempts = {
        async count(email: string) {
          await limits.logInFrom(set, client);
          await limits.logIn(set, client, email);
        },
        forget: (email: string) => limits.loggedIn(client, email),
      };
      await verifyEmail({ ...context, passwords: passwords.for(client), oneAtATime, attempts }, body);
      return { status: "verified" } as const;
    },
    {
      body: EmailProofBody,
      response: responses(
        { 200: EmailVerified },
        400,
        401,
        404,
        429,
        "changed_meanwhile",
        "email_already_verified",
        "link_used",
        "request_in_progress",
        "link_expired",
        "link_void",
      ),
      detail: {
        summary: "Verify an e-mail address",
        description:
          "Verifies the address with the token of a link, once. If the caller is signed in to the account or sends its `password`, nothing else changes. With another password, the caller takes the account over: they own the mailbox, but another person may have created the account. The password becomes the account's password, and its sessions, second factor and linked providers are removed. The response signs nobody in. 409: the link was already used, another request is using it, or the address is already verified. 410: the link has expired. A password counts against the limits of logins.",
      },
    },
  );
