/** Rate limits of sign-in, sign-up, mails and second factors. Counted per node. */
import ipaddr from "ipaddr.js";
import type { Clock } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";
import { createLimiter, type Fields, takeOrRefuse } from "../../http/rate-limit.ts";
import type { CodeAttempts } from "./mfa/second-factor.ts";
import type { Client } from "./sessions/sessions.ts";

const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

/** Limits of mailed invites. Two steps: the transaction, which may run again, checks; its commit counts. */
export interface InviteMails {
  isAllowed(orgId: string, email: string): boolean;
  count(orgId: string, email: string): void;
}

export interface AttemptLimits {
  /** @throws RATE_LIMITED */
  logIn(set: Fields, client: Client, email: string): void;
  /** Resets the count after a successful login: the caller knows the password. */
  loggedIn(client: Client, email: string): void;
  /** @throws RATE_LIMITED */
  signUp(set: Fields, client: Client): void;
  /** Successful changes count too: each costs two hashes and a mail. @throws RATE_LIMITED */
  changePassword(set: Fields, userId: string): void;
  /** Counts the same whether or not the address has an account. @throws RATE_LIMITED */
  forgotPassword(set: Fields, client: Client, email: string): void;
  /** @throws RATE_LIMITED */
  sendVerification(set: Fields, userId: string): void;
  /** @throws RATE_LIMITED */
  refresh(set: Fields, sessionId: string): void;
  /** Codes of a second factor. Per account only: the caller has already passed the first factor or is signed in. */
  secondFactor(set: Fields): CodeAttempts;
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
  const verifications = createLimiter({ clock, limit: 3, windowSeconds: HOUR });
  const invitesPerOrganization = createLimiter({ clock, limit: 60, windowSeconds: HOUR });
  const invitesPerEmail = createLimiter({ clock, limit: 5, windowSeconds: HOUR });
  // With the client's address: otherwise an attacker could lock out the owner by guessing.
  const accountKey = (client: Client, email: string) => `${network(client)} ${email}`;

  return {
    logIn(set, client, email) {
      takeOrRefuse(set, "login-address", perAddress, network(client));
      takeOrRefuse(set, "login", perAccount, accountKey(client, email));
    },
    loggedIn: (client, email) => perAccount.forget(accountKey(client, email)),
    signUp: (set, client) => takeOrRefuse(set, "signup", signUps, network(client)),
    changePassword: (set, userId) => takeOrRefuse(set, "password", passwordChanges, userId),
    forgotPassword(set, client, email) {
      takeOrRefuse(set, "password-forgot-address", forgottenPerAddress, network(client));
      takeOrRefuse(set, "password-forgot", forgottenPerEmail, email);
    },
    sendVerification: (set, userId) => takeOrRefuse(set, "email-verification", verifications, userId),
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

/** Returns the /64 of an IPv6 address: a subscriber has at least that many addresses. */
function network({ address }: Client): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
