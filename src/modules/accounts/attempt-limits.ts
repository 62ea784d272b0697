/** Rate limits of sign-in, sign-up, mails and second factors. All processes count together, except mailed invites. */
import type { Clock, Instant } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";
import type { BucketSize, RateBuckets } from "../../core/rate-buckets.ts";
import { networkOf } from "../../http/client-address.ts";
import { countOrRefuse, createLimiter, createSharedLimiter, type Fields, refuseWithin } from "../../http/rate-limit.ts";
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
  logInFrom(set: Fields, client: Client): Promise<void>;
  /** Per client address and account. @throws RATE_LIMITED */
  logIn(set: Fields, client: Client, email: string): Promise<void>;
  /** Resets the count after a successful login: the caller knows the password. */
  loggedIn(client: Client, email: string): Promise<void>;
  /** @throws RATE_LIMITED */
  signUp(set: Fields, client: Client): Promise<void>;
  /** Successful changes count too: each costs two hashes and a mail. @throws RATE_LIMITED */
  changePassword(set: Fields, userId: string): Promise<void>;
  /** Per client address, for a route's `transform`. @throws RATE_LIMITED */
  forgotPasswordFrom(set: Fields, client: Client): Promise<void>;
  /** Per e-mail address. Counts the same whether or not it has an account. @throws RATE_LIMITED */
  forgotPassword(set: Fields, email: string): Promise<void>;
  /** Per e-mail address, with the mail of the sign-up or the claim. */
  verificationMails(set: Fields): MailInterval;
  /** @throws RATE_LIMITED */
  refresh(set: Fields, sessionId: string): Promise<void>;
  /** Codes of a second factor. Per account only: the caller has already passed the first factor or is signed in. */
  secondFactor(set: Fields): CodeAttempts;
  /** Creating and resending invites. @throws RATE_LIMITED */
  invite(set: Fields, orgId: string): Promise<void>;
  /** @throws RATE_LIMITED */
  claim(set: Fields, client: Client): Promise<void>;
  /** @throws RATE_LIMITED */
  issueHandoff(set: Fields, userId: string): Promise<void>;
  inviteMails: InviteMails;
}

/** @param buckets see `createSharedLimiter` */
export function createAttemptLimits(clock: Clock, buckets?: RateBuckets): AttemptLimits {
  const shared = (policy: string, size: BucketSize) => createSharedLimiter(policy, { clock, buckets, ...size });
  const perAddress = shared("login-address", { limit: 100, windowSeconds: QUARTER_HOUR });
  const perAccount = shared("login", { limit: 10, windowSeconds: QUARTER_HOUR });
  const signUps = shared("signup", { limit: 10, windowSeconds: HOUR });
  const refreshes = shared("refresh", { limit: 60, windowSeconds: 60 });
  const secondFactors = shared("mfa", { limit: 10, windowSeconds: QUARTER_HOUR });
  const passwordChanges = shared("password", { limit: 10, windowSeconds: QUARTER_HOUR });
  const forgottenPerAddress = shared("password-forgot-address", { limit: 10, windowSeconds: HOUR });
  const forgottenPerEmail = shared("password-forgot", { limit: 3, windowSeconds: HOUR });
  const invites = shared("invites", { limit: 200, windowSeconds: HOUR });
  const claims = shared("claims", { limit: 60, windowSeconds: HOUR });
  const handoffs = shared("establish-token", { limit: 60, windowSeconds: QUARTER_HOUR });
  const invitesPerOrganization = createLimiter({ clock, limit: 60, windowSeconds: HOUR });
  const invitesPerEmail = createLimiter({ clock, limit: 5, windowSeconds: HOUR });
  // With the client's address: otherwise an attacker could lock out the owner by guessing.
  const accountKey = (client: Client, email: string) => `${networkOf(client)} ${email}`;

  return {
    logInFrom: (set, client) => countOrRefuse(set, perAddress, networkOf(client)),
    logIn: (set, client, email) => countOrRefuse(set, perAccount, accountKey(client, email)),
    loggedIn: (client, email) => perAccount.forget(accountKey(client, email)),
    signUp: (set, client) => countOrRefuse(set, signUps, networkOf(client)),
    changePassword: (set, userId) => countOrRefuse(set, passwordChanges, userId),
    forgotPasswordFrom: (set, client) => countOrRefuse(set, forgottenPerAddress, networkOf(client)),
    forgotPassword: (set, email) => countOrRefuse(set, forgottenPerEmail, email),
    verificationMails: (set) => ({
      requirePassed: (last) => refuseWithin(set, "email-verification", { clock, windowSeconds: HOUR, last }),
    }),
    invite: (set, orgId) => countOrRefuse(set, invites, orgId),
    claim: (set, client) => countOrRefuse(set, claims, networkOf(client)),
    issueHandoff: (set, userId) => countOrRefuse(set, handoffs, userId),
    refresh: (set, sessionId) => countOrRefuse(set, refreshes, sessionId),
    secondFactor: (set) => ({
      count: (userId: UserId) => countOrRefuse(set, secondFactors, userId),
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
