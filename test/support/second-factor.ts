/** Accounts with a second factor, and the codes of their authenticators. */
import type { SharedInstallation } from "./installation.ts";
import { expectStatus, password } from "./school.ts";
import { totpCode } from "./totp.ts";

export interface Authenticator {
  /** Base32. */
  secret: string;
  recoveryCodes: string[];
  /** Returns the code of this moment, or of an offset in steps of 30 seconds. */
  code(steps?: number): Promise<string>;
  /** Returns a code that differs from those of the neighbouring steps. */
  wrongCode(): Promise<string>;
}

type Codes = Pick<Authenticator, "code" | "wrongCode">;

/** Returns an authenticator with the secret. */
export function authenticator({ clock }: SharedInstallation, secret: string): Codes {
  const code = (steps = 0) => totpCode(secret, new Date(clock.now().getTime() + steps * 30_000));
  return {
    code,
    async wrongCode() {
      const right = await Promise.all([-2, -1, 0, 1, 2].map(code));
      const wrong = ["000000", "111111", "222222", "333333", "444444", "555555"].find((one) => !right.includes(one));
      return wrong ?? "666666";
    },
  };
}

/** Sets up a second factor with the code of the previous step, so that the present one stays unused. */
export async function enroll(at: SharedInstallation, { token }: { token: string }): Promise<Authenticator> {
  const { secret } = expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token })).body.data;
  const codes = authenticator(at, secret);
  const body = { code: await codes.code(-1) };
  const { data } = expectStatus(200, await at.call("POST", "/auth/mfa/enroll/verify", { token, body })).body;
  return { secret, recoveryCodes: data.recovery_codes, ...codes };
}

let addresses = 0;

/** Signs in up to the second factor. @returns the challenge's token */
export async function challenged(at: SharedInstallation, email: string, more: object = {}): Promise<string> {
  addresses += 1;
  const from = `203.0.${113 + (addresses >> 8)}.${addresses & 255}`;
  const answer = await at.call("POST", "/auth/login", { body: { email, password, ...more }, from });
  return expectStatus(200, answer).body.mfa_token;
}

export const verify = (at: SharedInstallation, mfa_token: string, code: string) =>
  at.call("POST", "/auth/mfa/verify", { body: { mfa_token, code } });

export const step = (at: SharedInstallation, { token }: { token: string }, code: string) =>
  at.call("POST", "/auth/mfa/step", { token, body: { code } });
