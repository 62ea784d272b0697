/** Rows of the sign-in through a provider: a request for each status. */

import type { Installation } from "../support/installation.ts";
import { allowedPage, begin, type Claims, comeBack, newInstallationWithProvider, providerOf } from "../support/oidc.ts";
import { enroll } from "../support/second-factor.ts";
import { broken, ofBodies, type Provocations, type Scene, to } from "./provoke.ts";

const start = to("POST", "/auth/oauth/start");
const startRow: Provocations = {
  ...ofBodies(start),
  200: (scene) => start(scene, { body: { provider: "google" } }),
  400: (scene) => start(scene, { body: { provider: "nobody" } }),
  401: (scene) => start(scene, { body: { provider: "google" }, token: "not.a.token" }),
  403: async (scene) => {
    const { installation, owner } = scene.school;
    await enroll(installation, owner);
    return start(scene, { body: { provider: "google" }, token: owner.token });
  },
  500: broken(start, () => ({ body: { provider: "google" } })),
  502: (scene) => start(scene, { body: { provider: "down" } }),
};

let born = 0;
const newcomer = (): Claims => {
  born += 1;
  return { sub: `newcomer-${born}`, email: `newcomer${born}@provider.example`, email_verified: true };
};

type How = Parameters<typeof begin>[1];
type Change = Parameters<ReturnType<typeof providerOf>["admit"]>[2];

/** A complete sign-in. */
const arrive = ({ school }: Scene, how: How = {}, claims = newcomer(), change: Change = {}) =>
  arriveAt(school.installation, how, claims, change);

async function arriveAt(at: Installation, how: How = {}, claims = newcomer(), change: Change = {}) {
  const begun = await begin(at, how);
  return comeBack(at, providerOf(at).admit(begun, claims, change), begun.cookie);
}

const callbackRow: Provocations = {
  200: (scene) => arrive(scene),
  303: (scene) => arrive(scene, { redirect_to: allowedPage }),
  400: ({ school }) => comeBack(school.installation, "code=a&state=b"),
  403: async () => arriveAt(await newInstallationWithProvider({ env: { WINDSOCK_SIGN_UP: "closed" } })),
  401: (scene) => arrive(scene, {}, { ...newcomer(), email: scene.school.owner.email }),
  500: broken(to("GET", "/auth/oauth/callback?code=a&state=b"), () => ({})),
  502: (scene) => arrive(scene, {}, newcomer(), { token: { nonce: "another" } }),
};

export const oauthProvocations: Record<string, Provocations> = {
  "GET /auth/oauth/callback": callbackRow,
  "POST /auth/oauth/start": startRow,
};
