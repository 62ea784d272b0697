/** The rows of the second factor: a request for each status. */

import { newSession } from "../http/accounts/scenery.ts";
import { expectStatus, type Member } from "../support/school.ts";
import { authenticator, challenged, enroll } from "../support/second-factor.ts";
import { maxBodyBytes } from "./facts.ts";
import { broken, ofBodies, type Provocations, repeat, type Scene, to } from "./provoke.ts";

/** A member with a second factor. */
async function enrolled({ school }: Scene): Promise<{ member: Member; code: string; wrong: string }> {
  const member = await school.join(["student"]);
  const factor = await enroll(school.installation, member);
  return { member, code: await factor.code(), wrong: await factor.wrongCode() };
}

/** The refusals of a route for signed-in users. */
const ofSessions = (route: ReturnType<typeof to>): Provocations => ({
  401: (scene) => route(scene),
  500: broken(route, ({ school }) => ({ token: school.owner.token, body: undefined })),
});

/** An overlong body is rejected by its length, also where no body is read. */
const tooLong = (route: ReturnType<typeof to>): Provocations => ({
  413: (scene) =>
    route(scene, { token: scene.school.owner.token, headers: { "content-length": String(maxBodyBytes + 1) } }),
});

/** The refusals of bodies, from a signed-in user. */
const ofSignedInBodies = (route: ReturnType<typeof to>): Provocations =>
  ofBodies((scene, call) => route(scene, { token: scene.school.owner.token, ...call }));

const verify = to("POST", "/auth/mfa/verify");
const verifyRow: Provocations = {
  ...ofBodies(verify),
  200: async (scene) => {
    const { member, code } = await enrolled(scene);
    return verify(scene, { body: { mfa_token: await challenged(scene.school.installation, member.email), code } });
  },
  400: (scene) => verify(scene, { body: { mfa_token: "token", code: "12345" } }),
  401: (scene) => verify(scene, { body: { mfa_token: "no-such-token", code: "123456" } }),
  429: async (scene) => {
    const { member, wrong } = await enrolled(scene);
    const mfa_token = await challenged(scene.school.installation, member.email);
    return repeat(6, () => verify(scene, { body: { mfa_token, code: wrong } }));
  },
  500: broken(verify, () => ({ body: { mfa_token: "token", code: "123456" } })),
};

const start = to("POST", "/auth/mfa/enroll/start");
const startRow: Provocations = {
  ...ofSessions(start),
  ...ofSignedInBodies(start),
  200: (scene) => start(scene, { token: scene.school.owner.token }),
  400: (scene) => start(scene, { token: scene.school.owner.token, body: { issuer: "a:b" } }),
  409: async (scene) => start(scene, { token: (await enrolled(scene)).member.token }),
};

const confirm = to("POST", "/auth/mfa/enroll/verify");
async function begun(scene: Scene) {
  const { token } = scene.school.owner;
  const { secret } = expectStatus(200, await start(scene, { token })).body.data;
  return { token, ...authenticator(scene.school.installation, secret) };
}
const confirmRow: Provocations = {
  ...ofSessions(confirm),
  ...ofSignedInBodies(confirm),
  200: async (scene) => {
    const { token, code } = await begun(scene);
    return confirm(scene, { token, body: { code: await code() } });
  },
  400: async (scene) => {
    const { token, wrongCode } = await begun(scene);
    return confirm(scene, { token, body: { code: await wrongCode() } });
  },
  404: (scene) => confirm(scene, { token: scene.school.owner.token, body: { code: "123456" } }),
};

const disable = to("DELETE", "/auth/mfa/enroll");
const disableRow: Provocations = {
  ...ofSessions(disable),
  ...tooLong(disable),
  200: (scene) => disable(scene, { token: scene.school.owner.token }),
  400: (scene) => to("DELETE", "/auth/mfa/enroll?all=1")(scene, { token: scene.school.owner.token }),
  403: async (scene) => disable(scene, { token: (await enrolled(scene)).member.token }),
};

const counts = to("GET", "/auth/mfa/recovery-codes");
const countsRow: Provocations = {
  ...ofSessions(counts),
  200: (scene) => counts(scene, { token: scene.school.owner.token }),
  400: (scene) => to("GET", "/auth/mfa/recovery-codes?all=1")(scene, { token: scene.school.owner.token }),
};

const regenerate = to("POST", "/auth/mfa/recovery-codes/regenerate");
const regenerateRow: Provocations = {
  ...ofSessions(regenerate),
  ...tooLong(regenerate),
  200: async (scene) => regenerate(scene, { token: (await enrolled(scene)).member.token }),
  403: async (scene) => {
    const { school } = scene;
    // A session without a step-up.
    const token = await newSession(school, school.owner);
    await enroll(school.installation, school.owner);
    return regenerate(scene, { token });
  },
  412: (scene) => regenerate(scene, { token: scene.school.owner.token }),
};

const step = to("POST", "/auth/mfa/step");
const stepRow: Provocations = {
  ...ofSessions(step),
  ...ofSignedInBodies(step),
  200: async (scene) => {
    const { member, code } = await enrolled(scene);
    return step(scene, { token: member.token, body: { code } });
  },
  400: (scene) => step(scene, { token: scene.school.owner.token, body: { code: "12345" } }),
  412: (scene) => step(scene, { token: scene.school.owner.token, body: { code: "123456" } }),
  429: async (scene) => {
    const { member, wrong } = await enrolled(scene);
    return repeat(11, () => step(scene, { token: member.token, body: { code: wrong } }));
  },
};

export const mfaProvocations: Record<string, Provocations> = {
  "POST /auth/mfa/verify": verifyRow,
  "POST /auth/mfa/enroll/start": startRow,
  "POST /auth/mfa/enroll/verify": confirmRow,
  "DELETE /auth/mfa/enroll": disableRow,
  "GET /auth/mfa/recovery-codes": countsRow,
  "POST /auth/mfa/recovery-codes/regenerate": regenerateRow,
  "POST /auth/mfa/step": stepRow,
};
