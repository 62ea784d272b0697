import { TestClock } from "../../support/clock.ts";
import { type Answer, newInstallation } from "../../support/installation.ts";
import { begin, type Claims, comeBack, environment, newScriptedProvider } from "../../support/oidc.ts";

export const ada: Claims = { sub: "ada-1", email: "Ada@Example.com", email_verified: true, name: "Ada  Lindner" };

/** An installation with a provider whose responses the test sets. */
export async function scene() {
  const clock = new TestClock();
  const provider = await newScriptedProvider(clock);
  const other = await newScriptedProvider(clock);
  const env = { ...environment(provider.issuer), ...environment(other.issuer, "CLUB") };
  const at = await newInstallation({ clock, env });
  /** Runs a whole sign-in. */
  const signIn = async (claims: Claims, how: Parameters<typeof begin>[1] = {}): Promise<Answer> => {
    const begun = await begin(at, how);
    const where = how.provider === "club" ? other : provider;
    return comeBack(at, where.admit(begun, claims), begun.cookie);
  };
  return { at, clock, provider, other, signIn };
}
