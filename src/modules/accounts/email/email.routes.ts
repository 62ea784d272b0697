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
      limits.sendVerification(set, context.actor.userId);
      await sendVerification({ ...context, mailer, publicUrl, linkUrl });
      return { status: "sent" } as const;
    },
    {
      response: responses({ 200: VerificationSent }, 401, 429, "email_already_verified", "mail_not_configured"),
      detail: {
        summary: "Send a link that proves the e-mail address",
        description:
          "Mails it to the caller's address, once more if need be; it is valid for 24 hours. 409: the address is verified already, or this installation sends no mail. 3 an hour for each account.",
      },
    },
  );

const verifyRoute = ({ maybeSignedIn }: Http, { limits, passwords, oneAtATime }: AccountParts) =>
  new Elysia({ name: "accounts.verify-email", tags }).use(maybeSignedIn).post(
    "/auth/email/verify",
    async ({ context, client, body, set }) => {
      const tries = {
        count: (email: string) => limits.logIn(set, client, email),
        forget: (email: string) => limits.loggedIn(client, email),
      };
      await verifyEmail({ ...context, passwords, oneAtATime, tries }, body);
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
        summary: "Prove an e-mail address",
        description:
          "By the token of a link, once. Signed in to that very account, or with its own `password`, nothing else changes. With any other password, the caller holds the mailbox and need not be who made the account: they take it over with that password, and its sessions, second factor and accounts at providers are dropped. Nobody is signed in by it. 409: the link has been used or is being used, or the address is verified already. 410: it has expired. A password that is sent counts as a login does.",
      },
    },
  );
