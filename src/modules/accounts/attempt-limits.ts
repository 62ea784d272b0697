/** Rate limits of sign-in, sign-up, mails and second factors. Counted per node. */
import type { Clock, Instant } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";
import { networkOf } from "../../http/client-address.ts";
import { createLimiter, type Fields, refuseWithin, takeOrRefuse } from "../../http/rate-limit.ts";
import type { CodeAttempts } from "./mfa/second-factor.ts";
import type { Client } from "./sessions/sessions.ts";

const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

/** Limits of mailed invites. Two steps: the transaction, which may run again, checks; its commit counts. */
export interface InviteMails {
  isAllowed(orgId: string, email: string): boolean;
  count(orgId: string, email: string): void;
}

/** The time between two mails to an address. The time of the last one is stored, so a restart does not reset it. */
export interface MailInterval {
  /** @throws RATE_LIMITED the last mail is too recent */
  requirePassed(last: Instant | undefined): void;
}

export interface AttemptLimits {
  /** Per client address, for a route's `transform`. @throws RATE_LIMITED */
  logInFrom(set: Fields, client: Client): void;
  /** Per client address and account. @throws RATE_LIMITED */
  logIn(set: Fields, client: Client, email: string): void;
  /** Resets the count after a successful login: the caller knows the password. */
  loggedIn(client: Client, email: string): void;
  /** @throws RATE_LIMITED */
  signUp(set: Fields, client: Client): void;
  /** Successful changes count too: each costs two hashes and a mail. @throws RATE_LIMITED */
  changePassword(set: Fields, userId: string): void;
  /** Per client address, for a route's `transform`. @throws RATE_LIMITED */
  forgotPasswordFrom(set: Fields, client: Client): void;
  /** Per e-mail address. Counts the same whether or not it has an account. @throws RATE_LIMITED */
  forgotPassword(set: Fields, email: string): void;
  /** Per e-mail address, with the mail of the sign-up or the claim. */
  verificationMails(set: Fields): MailInterval;
  /** @throws RATE_LIMITED */
  refresh(set: Fields, sessionId: string): void;
  /** Codes of a second factor. Per account only: the caller has already passed the first factor or is signed in. */
  secondFactor(set: Fields): CodeAttempts;
  /** Creating and resending invites. @throws RATE_LIMITED */
  invite(set: Fields, orgId: string): void;
  /** @throws RATE_LIMITED */
  claim(set: Fields, client: Client): void;
  /** @throws RATE_LIMITED */
  issueHandoff(set: Fields, userId: string): void;
  inviteMails: InviteMails;
}

export function createAttemptLimits(clock: Clock): AttemptLimits {
  const perAddress = createLimiter({ clock, limit: 100, windowSeconds: QUARTER_HOUR });
  const perAccount = createLimiter({ clock, limit: 10, windowSeconds: QUARTER_HOUR });
  const signUps = createLimiter({ clock, limit: 10, windowSeconds: HOUR });
  const refreshes = createLimiter({ clock, limit: 60, windowSeconds: 60 });
  const secondFactors = createLimiter({ clock, limit: 10, windowSeconds: QUARTER_HOUR });
  const passwordChanges = createLimiter({ clock, limit: 10, windowSeconds: QUARTER_HOUR });
  const forgottenPerAddress = createLimiter({ clock, limit: 10, windowSeconds: HOUR });
  const forgottenPerEmail = createLimiter({ clock, limit: 3, windowSeconds: HOUR });
  const invites = createLimiter({ clock, limit: 200, windowSeconds: HOUR });
  const claims = createLimiter({ clock, limit: 60, windowSeconds: HOUR });
  const handoffs = createLimiter({ clock, limit: 60, windowSeconds: QUARTER_HOUR });
  const invitesPerOrganization = createLimiter({ clock, limit: 60, windowSeconds: HOUR });
  const invitesPerEmail = createLimiter({ clock, limit: 5, windowSeconds: HOUR });
  // With the client's address: otherwise an attacker could lock out the owner by guessing.
  const accountKey = (client: Client, email: string) => `${networkOf(client)} ${email}`;

  return {
    logInFrom: (set, client) => takeOrRefuse(set, "login-address", perAddress, networkOf(client)),
    logIn: (set, client, email) => takeOrRefuse(set, "login", perAccount, accountKey(client, email)),
    loggedIn: (client, email) => perAccount.forget(accountKey(client, email)),
    signUp: (set, client) => takeOrRefuse(set, "signup", signUps, networkOf(client)),
    changePassword: (set, userId) => takeOrRefuse(set, "password", passwordChanges, userId),
    forgotPasswordFrom: (set, client) =>
      takeOrRefuse(set, "password-forgot-address", forgottenPerAddress, networkOf(client)),
    forgotPassword: (set, email) => takeOrRefuse(set, "password-forgot", forgottenPerEmail, email),
    verificationMails: (set) => ({
      requirePassed: (last) => refuseWithin(set, "email-verification", { clock, windowSeconds: HOUR, last }),
    }),
    invite: (set, orgId) => takeOrRefuse(set, "invites", invites, orgId),
    claim: (set, client) => takeOrRefuse(set, "claims", claims, networkOf(client)),
    issueHandoff: (set, userId) => takeOrRefuse(set, "establish-token", handoffs, userId),
    refresh: (set, sessionId) => takeOrRefuse(set, "refresh", refreshes, sessionId),
    secondFactor: (set) => ({
      count: (userId: UserId) => takeOrRefuse(set, "mfa", secondFactors, userId),
      forget: (userId: UserId) => secondFactors.forget(userId),
    }),
    inviteMails: {
      isAllowed: (orgId, email) => invitesPerOrganization.peek(orgId).allowed && invitesPerEmail.peek(email).allowed,
      count(orgId, email) {
        invitesPerOrganization.take(orgId);
        invitesPerEmail.take(email);
      },
    },
  };
}
