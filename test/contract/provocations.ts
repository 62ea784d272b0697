/** For every implemented row and every status it declares, a request with that response. */

import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { encodeCursor } from "../../src/core/cursor.ts";
import type { InviteId, UserId } from "../../src/core/ids.ts";
import { users } from "../../src/identity/identity.tables.ts";
import { invites } from "../../src/modules/organizations/organizations.tables.ts";
import { webhookUrl } from "../http/integrations/scenery.ts";
import { type Call, newInstallation } from "../support/installation.ts";
import { newInvoice } from "../support/money.ts";
import { expectStatus, type Member, newSchool, password } from "../support/school.ts";
import { withDamagedControl, withKeys, withTags, withWriteLimits } from "./derived-provocations.ts";
import { maxBodyBytes } from "./facts.ts";
import { inviteAndHandoffProvocations } from "./invite-and-handoff-provocations.ts";
import { marketProvocations } from "./market-provocations.ts";
import { mfaProvocations } from "./mfa-provocations.ts";
import { oauthProvocations } from "./oauth-provocations.ts";
import { broken, ofBodies, type Provocation, type Provocations, repeat, type Scene, to } from "./provoke.ts";
import { nameOf, publicApi, rows } from "./rows.ts";
import { hasETag, hasResumableCursor } from "./settled.ts";

const day = 86_400_000;

const login = to("POST", "/auth/login");
const credentialsOf = ({ email }: Member) => ({ email, password });

const loginRow: Provocations = {
  ...ofBodies(login),
  200: (scene) => login(scene, { body: credentialsOf(scene.school.owner) }),
  400: (scene) => login(scene, { body: { email: "nobody" } }),
  401: (scene) => login(scene, { body: { ...credentialsOf(scene.school.owner), password: "not the password" } }),
  403: async (scene) => {
    const member = await scene.school.join(["student"]);
    await scene.school.installation.storage.control.write((tx) =>
      tx
        .update(users)
        .set({ disabled_at: tx.now })
        .where(eq(users.id, member.userId as UserId)),
    );
    return login(scene, { body: credentialsOf(member) });
  },
  429: (scene) => repeat(11, () => login(scene, { body: { ...credentialsOf(scene.school.owner), password: "guess" } })),
  500: broken(login, ({ school }) => ({ body: credentialsOf(school.owner) })),
};

const refresh = to("POST", "/auth/refresh");
const refreshTokenOf = ({ school }: Scene): Call => ({ body: { refresh_token: school.owner.refreshToken } });
const refreshRow: Provocations = {
  ...ofBodies(refresh),
  200: (scene) => refresh(scene, refreshTokenOf(scene)),
  204: (scene) => refresh(scene, { body: { cookie: true } }),
  400: (scene) => refresh(scene, { body: {} }),
  401: (scene) => refresh(scene, { body: { refresh_token: "no-such-token" } }),
  429: (scene) => {
    let refresh_token = scene.school.owner.refreshToken;
    return repeat(61, async () => {
      const answer = await refresh(scene, { body: { refresh_token } });
      refresh_token = answer.body.refresh_token ?? refresh_token;
      return answer;
    });
  },
  500: broken(refresh, refreshTokenOf),
};

const logout = to("POST", "/auth/logout");
const logoutRow: Provocations = {
  ...ofBodies(logout),
  200: (scene) => logout(scene, refreshTokenOf(scene)),
  400: (scene) => logout(scene, { body: { no_such_field: 1 } }),
  401: (scene) => logout(scene),
  500: broken(logout, refreshTokenOf),
};

const endSessions = to("DELETE", "/auth/sessions");
const endSessionsRow: Provocations = {
  200: (scene) => endSessions(scene, { token: scene.school.owner.token }),
  400: (scene) => to("DELETE", "/auth/sessions?all=1")(scene, { token: scene.school.owner.token }),
  401: (scene) => endSessions(scene),
  413: (scene) =>
    endSessions(scene, { token: scene.school.owner.token, headers: { "content-length": String(maxBodyBytes + 1) } }),
  500: broken(endSessions, ({ school }) => ({ token: school.owner.token })),
};

/** An installation where nobody may sign up. */
const newClosed = () => newInstallation({ env: { WINDSOCK_SIGN_UP: "closed" } });

const signUp = to("POST", "/auth/signup-org");
let born = 0;
const newcomer = () => ({
  email: `newcomer${++born}@contract.example`,
  password,
  name: "New Comer",
  organization: { name: "New School", kind: "dto" },
});
const signUpRow: Provocations = {
  ...ofBodies(signUp),
  201: (scene) => signUp(scene, { body: newcomer() }),
  400: (scene) => signUp(scene, { body: { ...newcomer(), password: "too short" } }),
  403: async () => (await newClosed()).call("POST", "/auth/signup-org", { body: newcomer() }),
  409: (scene) => signUp(scene, { body: { ...newcomer(), email: scene.school.owner.email } }),
  429: (scene) => repeat(11, () => signUp(scene, { body: { ...newcomer(), email: scene.school.owner.email } })),
  500: broken(signUp, () => ({ body: newcomer() })),
};

const signUpAlone = to("POST", "/auth/signup");
const aloneNewcomer = () => ({ email: `newcomer${++born}@contract.example`, password, name: "New Comer" });
const signUpAloneRow: Provocations = {
  ...ofBodies(signUpAlone),
  201: (scene) => signUpAlone(scene, { body: aloneNewcomer() }),
  400: (scene) => signUpAlone(scene, { body: { ...aloneNewcomer(), password: "qwerty123456" } }),
  403: async () => (await newClosed()).call("POST", "/auth/signup", { body: aloneNewcomer() }),
  409: (scene) => signUpAlone(scene, { body: { ...aloneNewcomer(), email: scene.school.owner.email } }),
  429: (scene) =>
    repeat(11, () => signUpAlone(scene, { body: { ...aloneNewcomer(), email: scene.school.owner.email } })),
  500: broken(signUpAlone, () => ({ body: aloneNewcomer() })),
};

const invited = async ({ school }: Scene): Promise<{ id: string; token: string }> =>
  expectStatus(
    201,
    await school.owner.post("/invites", { email: `invited${++born}@contract.example`, roles: ["student"] }),
  ).body.data;

const claimBody = (token: string) => ({ token, password, name: "In Vited" });
const claim = to("POST", "/auth/org-invites/claim");
const show = (scene: Scene, token: string) => to("GET", `/auth/org-invites/${token}`)(scene);

async function claimed(scene: Scene): Promise<string> {
  const { token } = await invited(scene);
  expectStatus(200, await claim(scene, { body: claimBody(token) }));
  return token;
}

/** An expired invite. The clock is shared, so the expiry is set back instead. */
async function expired(scene: Scene): Promise<string> {
  const { id, token } = await invited(scene);
  const { clock, storage } = scene.school.installation;
  const expiresAt = new Date(clock.now().getTime() - day).toISOString() as typeof invites.$inferInsert.expires_at;
  await storage.control.write((tx) =>
    tx
      .update(invites)
      .set({ expires_at: expiresAt })
      .where(eq(invites.id, id as InviteId)),
  );
  return token;
}

const inviteRow: Provocations = {
  200: async (scene) => show(scene, (await invited(scene)).token),
  400: (scene) => show(scene, "no-such-token?lang=de"),
  404: (scene) => show(scene, "no-such-token"),
  409: async (scene) => show(scene, await claimed(scene)),
  410: async (scene) => show(scene, await expired(scene)),
  500: broken(to("GET", "/auth/org-invites/token"), () => ({})),
};

const claimRow: Provocations = {
  ...ofBodies(claim),
  200: async (scene) => claim(scene, { body: claimBody((await invited(scene)).token) }),
  400: async (scene) => claim(scene, { body: { token: (await invited(scene)).token } }),
  401: async (scene) => claim(scene, { token: "not.a.token", body: claimBody((await invited(scene)).token) }),
  404: (scene) => claim(scene, { body: claimBody("no-such-token") }),
  409: async (scene) => claim(scene, { body: claimBody(await claimed(scene)) }),
  410: async (scene) => claim(scene, { body: claimBody(await expired(scene)) }),
  429: (scene) => repeat(61, () => claim(scene, { body: claimBody("no-such-token") })),
  500: broken(claim, () => ({ body: claimBody("token") })),
};

const withKey = async ({ school }: Scene, scope: string): Promise<Call> => ({
  token: await school.apiKey(scope),
  org: school.orgId,
});

/** A row of the public API: a list. */
const publicList = (path: string, scope: string): Provocations => ({
  ...byKey("GET", path, scope),
  200: async (scene) => to("GET", path)(scene, await withKey(scene, scope)),
  304: async (scene) => to("GET", path)(scene, { ...(await withKey(scene, scope)), headers: { "if-none-match": "*" } }),
  400: async (scene) => to("GET", `${path}?limit=501`)(scene, await withKey(scene, scope)),
});

const changes = "updated_since=2000-01-01T00:00:00Z";
// The first row of no audit log has this hash.
const undone = "1.0123456789abcdef";

/** A cursor of what a restore has undone. */
const ofUndone = (path: string, scope: string): Provocations => ({
  410: async (scene) => {
    const [order, cursor] = path.endsWith("/events")
      ? ["order=asc", ["id", undone, "evt_01890a5dac96774bbcceb302099a8057"]]
      : [changes, ["updated_at,id", undone, "2026-06-14T09:00:00.000Z", "01890a5d-ac96-774b-bcce-b302099a8057"]];
    return to("GET", `${path}?${order}&cursor=${encodeCursor(cursor)}`)(scene, await withKey(scene, scope));
  },
});

/** A row of the public API: one resource. @param make creates one, and returns its id */
function publicOne(
  path: string,
  scope: string,
  make: (scene: Scene) => Promise<string>,
  unknown = "01890a5d-ac96-774b-bcce-b302099a8057",
): Provocations {
  const missing = `${path}/${unknown}`;
  const reader = (scene: Scene) => withKey(scene, scope);
  return {
    ...byKey("GET", missing, scope),
    200: async (scene) => to("GET", `${path}/${await make(scene)}`)(scene, await reader(scene)),
    304: async (scene) => {
      const call = { ...(await reader(scene)), headers: { "if-none-match": "*" } };
      return to("GET", `${path}/${await make(scene)}`)(scene, call);
    },
    400: async (scene) => to("GET", `${missing}?lang=de`)(scene, await reader(scene)),
    404: async (scene) => to("GET", missing)(scene, await reader(scene)),
  };
}

const publicFlightRow = publicOne(
  "/api/v1/public/flights",
  "public.flights:read",
  async ({ school }) => (await school.submitFlight(school.student)).id,
);

const workOrderRow = publicOne(
  "/api/v1/public/maintenance/work-orders",
  "public.maintenance:read",
  async ({ school: { owner, aircraftId } }) => {
    const order = { aircraft_id: aircraftId, title: "100-hour inspection" };
    return expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data.id;
  },
);

const vtrRow = publicOne("/api/v1/public/vtr", "public.vtr:read", async ({ school: { student } }) => {
  const pack = { type: "pilot_portable", person_id: student.personId };
  return expectStatus(202, await student.post("/evidence-packs", pack)).body.data.id;
});
const planningSessionRow = publicOne(
  "/api/v1/public/planning/sessions",
  "public.planning:read",
  async ({ school: { owner, student } }) => {
    const times = { start_at: "2098-06-15T08:30:00Z", end_at: "2098-06-15T10:00:00Z" };
    const session = { kind: "ground", ...times, student_ids: [student.personId] };
    return expectStatus(201, await owner.post("/planning/sessions", session)).body.data.id;
  },
);

const invoiceRow = publicOne("/api/v1/public/invoices", "public.invoices:read", async ({ school }) => {
  return (await newInvoice(school)).id;
});

const anEvent = async ({ school: { owner } }: Scene): Promise<string> => {
  const endpoint = { url: webhookUrl, event_types: ["webhook.test"] };
  const { id } = expectStatus(201, await owner.post("/integrations/webhook-endpoints", endpoint)).body.data;
  return expectStatus(201, await owner.post(`/integrations/webhook-endpoints/${id}/ping`)).body.data.event_id;
};

const eventRow = publicOne(
  "/api/v1/public/events",
  "public.events:read",
  anEvent,
  "evt_01890a5dac96774bbcceb302099a8057",
);

const replayRow: Provocations = {
  ...byKey("POST", "/api/v1/public/events/evt_01890a5dac96774bbcceb302099a8057/replay", "events:replay"),
  201: async (scene) => {
    const path = `/api/v1/public/events/${await anEvent(scene)}/replay`;
    return to("POST", path)(scene, await withKey(scene, "events:replay"));
  },
  400: async (scene) =>
    to("POST", "/api/v1/public/events/evt_01890a5dac96774bbcceb302099a8057/replay?endpoint=1")(
      scene,
      await withKey(scene, "events:replay"),
    ),
  404: async (scene) =>
    to("POST", "/api/v1/public/events/evt_01890a5dac96774bbcceb302099a8057/replay")(
      scene,
      await withKey(scene, "events:replay"),
    ),
  413: async (scene) => {
    const key = await withKey(scene, "events:replay");
    const headers = { "content-length": String(maxBodyBytes + 1) };
    return to("POST", "/api/v1/public/events/evt_01890a5dac96774bbcceb302099a8057/replay")(scene, { ...key, headers });
  },
};

const catalogOf = (orgId: string) => to("GET", `/orgs/${orgId}/integrations/event-catalog`);
const catalogRow: Provocations = {
  200: (scene) => catalogOf(scene.school.orgId)(scene, { token: scene.school.owner.token }),
  400: ({ school, from }) =>
    school.owner.call("GET", `/orgs/${school.orgId}/integrations/event-catalog?limit=5`, { from }),
  401: (scene) => catalogOf(scene.school.orgId)(scene),
  403: (scene) => catalogOf(scene.school.orgId)(scene, { token: scene.school.student.token }),
  404: (scene) => catalogOf("01890a5d-0000-7000-8000-000000000000")(scene, { token: scene.school.owner.token }),
  500: (scene) => broken(catalogOf(scene.school.orgId), ({ school }) => ({ token: school.owner.token }))(scene),
};

const evaluationsPath = "/internal/compliance-evaluations";
const evaluations = to("GET", evaluationsPath);
const evaluationsRow: Provocations = {
  200: (scene) => evaluations(scene, { token: scene.school.owner.token }),
  400: (scene) => to("GET", `${evaluationsPath}?limit=501`)(scene, { token: scene.school.owner.token }),
  401: (scene) => evaluations(scene),
  403: (scene) => evaluations(scene, { token: scene.school.student.token }),
  500: broken(evaluations, ({ school }) => ({ token: school.owner.token })),
};

/** The refusals of every route that takes an API key. */
function byKey(method: string, path: string, scope: string): Provocations {
  const route = to(method, path);
  return {
    401: (scene) => route(scene, { org: scene.school.orgId }),
    403: async (scene) => route(scene, await withKey(scene, "public.directory:read")),
    429: async (scene) => {
      const key = await withKey(scene, scope);
      return repeat(scene.school.installation.config.apiKeyRate + 1, () => route(scene, key));
    },
    500: broken(route, (scene) => withKey(scene, scope)),
    503: async ({ from }) => {
      const directory = await mkdtemp(join(tmpdir(), "windsock-"));
      const first = await newInstallation({ directory, shared: true });
      const school = await newSchool(first);
      const key = await school.apiKey(scope);
      // Only a closed file may be changed.
      await first.close();
      await truncate(join(directory, `${school.orgId}.db`), 100);
      const second = await newInstallation({ directory, shared: true });
      try {
        return await second.call(method, path, { token: key, org: school.orgId, from });
      } finally {
        await second.close();
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

/** From the same machine, which these routes require. */
const locally =
  (path: string): ReturnType<typeof to> =>
  (scene, call) =>
    to("GET", path)(scene, { from: "127.0.0.1", ...call });
const schedulers = "/debug/schedulers";
const debugRow = (path: string): Provocations => ({
  200: (scene) => locally(path)(scene),
  400: (scene) => locally(`${path}?limit=5`)(scene),
  401: (scene) => locally(path)(scene, { token: "not.a.token" }),
  404: (scene) => to("GET", path)(scene),
  500: broken(locally(path), () => ({})),
});

/** The lists of the public API. */
const publicLists = Object.fromEntries(
  publicApi.flatMap((row) => {
    const isList = row.brings === undefined && row.method === "GET" && !row.path.includes("{");
    if (!isList || typeof row.by !== "object") return [];
    const [path, { scope }] = [row.path, row.by];
    return [[nameOf(row), { ...publicList(path, scope), ...(hasResumableCursor(row) && ofUndone(path, scope)) }]];
  }),
);

/** A GET with a session, of a client whose copy is current. */
const withCurrentCopy =
  (provoke: Provocation): Provocation =>
  async (scene) => {
    const { installation } = scene.school;
    const { call } = installation;
    const headers = { "if-none-match": "*" };
    const holding: typeof call = (method, path, sent) =>
      call(method, path, method === "GET" ? { ...sent, headers: { ...sent?.headers, ...headers } } : sent);
    Object.assign(installation, { call: holding });
    try {
      return await provoke(scene);
    } finally {
      Object.assign(installation, { call });
    }
  };

/** Adds to each row with an `ETag` the request for it that gets 304. */
const withCopies = (all: Record<string, Provocations>): Record<string, Provocations> =>
  withKeys(
    Object.fromEntries(
      Object.entries(all).map(([name, row]) => {
        const known = rows.find((one) => nameOf(one) === name);
        const provoke = row[200];
        const isTagged = known && provoke && hasETag(known) && row[304] === undefined;
        return [name, isTagged ? { ...row, 304: withCurrentCopy(provoke) } : row];
      }),
    ),
  );

/** A route without a database can't fail because of one. Its 500 is declared, because no route is free of errors. */
const open = (path: string): Provocations => ({ 200: to("GET", path) });

export const provocations = withDamagedControl(
  withWriteLimits(
    withTags(
      withCopies({
        "POST /auth/login": loginRow,
        ...mfaProvocations,
        "POST /auth/refresh": refreshRow,
        "POST /auth/logout": logoutRow,
        "DELETE /auth/sessions": endSessionsRow,
        "POST /auth/signup": signUpAloneRow,
        "POST /auth/signup-org": signUpRow,
        "GET /auth/org-invites/{token}": inviteRow,
        "POST /auth/org-invites/claim": claimRow,
        ...inviteAndHandoffProvocations,
        ...oauthProvocations,
        ...marketProvocations,
        ...publicLists,
        "GET /api/v1/public/flights/{flightId}": publicFlightRow,
        "GET /api/v1/public/maintenance/work-orders/{workOrderId}": workOrderRow,
        "GET /api/v1/public/vtr/{vtrId}": vtrRow,
        "GET /api/v1/public/planning/sessions/{sessionId}": planningSessionRow,
        "GET /api/v1/public/invoices/{invoiceId}": invoiceRow,
        "GET /api/v1/public/events/{eventId}": eventRow,
        "POST /api/v1/public/events/{eventId}/replay": replayRow,
        "GET /orgs/{orgId}/integrations/event-catalog": catalogRow,
        "GET /internal/compliance-evaluations": evaluationsRow,
        "GET /debug/schedulers": debugRow(schedulers),
        "GET /debug/schedulers/{name}": {
          ...debugRow(`${schedulers}/intents`),
          400: (scene) => locally(`${schedulers}/Not_a_name`)(scene),
        },
        "GET /capabilities": { ...open("/capabilities"), 400: to("GET", "/capabilities?version=1") },
        "GET /health": open("/health"),
        "GET /docs": {
          ...open("/docs"),
          304: (scene) => to("GET", "/docs")(scene, { headers: { "if-none-match": "*" } }),
        },
      }),
    ),
  ),
);

/** Declared statuses that no request can produce, and why. */
export const outOfReach: Record<string, readonly number[]> = {
  "GET /capabilities": [500],
  "GET /health": [500],
  "GET /docs": [500],
};
