import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { TokenPair } from "../accounts.schemas.ts";
import { sessionReply } from "../sign-in/sign-in-reply.ts";
import { confirmEnrollment } from "./confirm-enrollment.ts";
import { disableMfa } from "./disable-mfa.ts";
import { countRecoveryCodes } from "./mfa.queries.ts";
import {
  EnrollmentStartBody,
  EnrollmentVerifyBody,
  MfaDisabled,
  MfaVerifyBody,
  RecoveryCodeCounts,
  RecoveryCodes,
  StartedEnrollment,
  SteppedUp,
  StepUpBody,
} from "./mfa.schemas.ts";
import { regenerateRecoveryCodes } from "./regenerate-recovery-codes.ts";
import { startEnrollment } from "./start-enrollment.ts";
import { stepUp } from "./step-up.ts";
import { verifyChallenge } from "./verify-challenge.ts";

/** `/auth/mfa` */
export const mfaRoutes = (http: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.mfa" })
    .use(verifyRoute(http, parts))
    .use(enrollmentRoutes(http, parts))
    .use(recoveryCodeRoutes(http))
    .use(stepUpRoute(http, parts));

const tags = ["Authentication"];

const verifyRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.mfa.verify", tags }).use(open).post(
    "/auth/mfa/verify",
    async ({ context, client, body, set }) => {
      const { keys, mailer, publicUrl } = parts;
      const attempts = parts.limits.secondFactor(set);
      const { mfa_token: token, code } = body;
      const opened = await verifyChallenge({ ...context, keys, mailer, publicUrl, attempts }, { token, code, client });
      return sessionReply(parts, set, opened);
    },
    {
      body: MfaVerifyBody,
      response: responses({ 200: TokenPair }, 400, 401, 429, "code_wrong", "sign_in_over"),
      detail: {
        summary: "Finish a sign-in with the second factor",
        description:
          "Opens the session of a challenge with a code. If the sign-in requested the cookie, the refresh token is in the cookie. A challenge is valid for one session and five minutes. After five wrong codes the response is 429 until it expires: sign in again. 10 wrong codes in 15 minutes for each account, including step-ups.",
      },
    },
  );

const enrollmentRoutes = ({ signedIn }: Http, { keys, mailer, publicUrl }: AccountParts) =>
  new Elysia({ name: "accounts.mfa.enrollment", tags })
    .use(signedIn)
    .post(
      "/auth/mfa/enroll/start",
      async ({ context, body }) => ({ data: await startEnrollment({ ...context, keys }, body ?? {}) }),
      {
        body: EnrollmentStartBody.optional(),
        response: responses({ 200: shownOnce(data(StartedEnrollment)) }, 400, 401, "second_factor_exists"),
        detail: {
          summary: "Start the set-up of a second factor",
          description:
            "Creates a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Only this response shows it. The first code enables it: `POST /auth/mfa/enroll/verify`. A second start replaces the secret. 409: the account already has a second factor.",
        },
      },
    )
    .post(
      "/auth/mfa/enroll/verify",
      async ({ context, body }) => {
        const codes = await confirmEnrollment({ ...context, keys, mailer, publicUrl }, body);
        return { data: { recovery_codes: codes } };
      },
      {
        body: EnrollmentVerifyBody,
        response: responses({ 200: shownOnce(data(RecoveryCodes)) }, 400, 401, 404),
        detail: {
          summary: "Confirm the second factor",
          description:
            "Enables the second factor with a first code, and returns ten recovery codes. Only this response shows them. Other sessions stay open; `DELETE /auth/sessions` ends them. 400: the code is wrong. 404: no set-up was started, or it is already confirmed.",
        },
      },
    )
    .delete(
      "/auth/mfa/enroll",
      async ({ context }) => {
        await disableMfa({ ...context, mailer, publicUrl });
        return { data: { enrolled: false as const } };
      },
      {
        response: responses({ 200: data(MfaDisabled) }, 401, "step_up_required"),
        detail: {
          summary: "Remove the second factor",
          description:
            "Deletes the recovery codes and ends sign-ins that wait for a code. 200 also without a second factor.",
        },
      },
    );

const recoveryCodeRoutes = ({ signedIn }: Http) =>
  new Elysia({ name: "accounts.mfa.recovery-codes", tags })
    .use(signedIn)
    .get(
      "/auth/mfa/recovery-codes",
      async ({ context: { actor, control } }) => ({
        data: await control.read((reader) => countRecoveryCodes(reader, actor.userId)),
      }),
      {
        response: responses({ 200: data(RecoveryCodeCounts) }, 401),
        detail: {
          summary: "Count the recovery codes",
          description: "Returns the number of codes and of unused codes, never a code.",
        },
      },
    )
    .post(
      "/auth/mfa/recovery-codes/regenerate",
      async ({ context }) => ({ data: { recovery_codes: await regenerateRecoveryCodes(context) } }),
      {
        response: responses({ 200: shownOnce(data(RecoveryCodes)) }, 401, "step_up_required", "second_factor_missing"),
        detail: {
          summary: "Replace the recovery codes",
          description:
            "Deletes every recovery code, used or not, and returns ten new ones. Only this response shows them. Requires a step-up unless the second factor was verified in this session in the last 10 minutes: at the sign-in, at the set-up, or in a step-up. Codes created without a step-up are accepted for step-ups of later sign-ins only. 412: the account has no second factor.",
        },
      },
    );

const stepUpRoute = ({ signedIn }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.mfa.step-up", tags }).use(signedIn).post(
    "/auth/mfa/step",
    async ({ context, body, set }) => {
      const { keys, mailer, publicUrl } = parts;
      const attempts = parts.limits.secondFactor(set);
      return { data: { step_up_until: await stepUp({ ...context, keys, mailer, publicUrl, attempts }, body) } };
    },
    {
      body: StepUpBody,
      response: responses({ 200: data(SteppedUp) }, 400, 401, 429, "code_wrong", "second_factor_missing"),
      detail: {
        summary: "Verify the second factor again",
        description:
          "For 10 minutes, this session may do what requires a step-up: create API keys and webhook endpoints, rotate signing secrets, change roles, invite and remove members, link and unlink providers, remove the second factor. 401: the code is wrong or was already used, or it is a recovery code created without a step-up after this session started. 412: the account has no second factor. 10 wrong codes in 15 minutes for each account, including sign-ins.",
      },
    },
  );
