/**
 * A school with real records of every kind, and a valid request for each route. Tests generated from the list of routes use
 * it. They fail for a new route that needs an entry in this file.
 */

import { eq, sql } from "drizzle-orm";
import type { App } from "../../src/app.ts";
import { hours, shift } from "../../src/core/clock.ts";
import type { OrgId, UserId } from "../../src/core/ids.ts";
import { scopeCatalog } from "../../src/core/scopes.ts";
import { type BodyLimits, bodyLimitsOf, usualLimits } from "../../src/http/body-limits.ts";
import { docsAssets } from "../../src/http/docs-assets.ts";
import { templateOf } from "../../src/http/openapi-operation.ts";
import type { Route } from "../../src/http/route.ts";
import { type Security, securityOf } from "../../src/http/route-security.ts";
import { type Role, roles } from "../../src/identity/roles.ts";
import { emailTokens } from "../../src/modules/accounts/accounts.tables.ts";
import { defaults } from "../../src/modules/planning/settings/settings.schemas.ts";
import { newModerator, publish } from "./directory.ts";
import { type ApiDocument, bodyOf, csvOf, documentOf, fileOf, type Operation, operationsOf } from "./document.ts";
import { type Installation, newInstallation } from "./installation.ts";
import { tokenIn } from "./mails.ts";
import {
  approvedListing,
  newAccount,
  newApplication,
  newListing,
  newOpportunity,
  newReviewer,
  publishedOpportunity,
  submittedListing,
} from "./market.ts";
import { creditAfterPayment, headset, newInvoice, onAccount, sendInvoice } from "./money.ts";
import { allowedPage, begin, comeBack, newInstallationWithProvider, providerOf } from "./oidc.ts";
import { csv, expectStatus, type Member, newSchool, password, pdf, type School } from "./school.ts";
import { authenticator, challenged, enroll } from "./second-factor.ts";

/** A school in the stage's own installation, so that tests can read the mails. */
type StagedSchool = School<Installation>;

export interface Stage {
  /** The environment of the installation, with all features enabled. */
  env: Record<string, string>;
  installation: Installation;
  document: ApiDocument;
  school: StagedSchool;
  /** Another organization of the same installation. */
  stranger: StagedSchool;
  /** A member for each role, with only this role. */
  members: Record<Role, Member>;
  routes: readonly StagedRoute[];
}

/** A route for generated tests. */
export interface StagedRoute {
  /** `POST /orgs/{orgId}/flights` */
  name: string;
  method: string;
  template: string;
  security: Security;
  /** Its operation in the document. A hidden route has none. */
  operation: Operation | undefined;
  /** The limits of its body. */
  limits: BodyLimits;
}

/** The values of the names in a path. */
type Given = Readonly<Record<string, string>>;

/** A request. */
export interface Prepared {
  path: string;
  /** The peer's address, where it matters: some routes are for callers on the same machine. */
  from?: string;
  body?: unknown;
  /** A query and a cookie that it needs to succeed. */
  query?: string;
  headers?: Record<string, string>;
  /** The access token of the caller, if only some users may call the route. */
  caller?: string;
}

/** Close it with `stage.installation.close()` in `afterAll`. */
export async function newStage({
  env: more,
  ...options
}: {
  directory?: string;
  env?: Record<string, string>;
} = {}): Promise<Stage> {
  const env = { WINDSOCK_DEBUG_ENDPOINTS: "1", WINDSOCK_METRICS: "1", ...more };
  const installation = await newInstallationWithProvider({ shared: true, env, ...options });
  const school = await newSchool(installation);
  const stranger = await newSchool(installation);
  // Owners record training, too, which instructors do.
  for (const { owner } of [school, stranger])
    expectStatus(200, await owner.patch(`/people/${owner.personId}`, { types: ["staff", "instructor"] }));
  const members = await membersOf(school);
  return { env, installation, school, stranger, members, ...documented(installation.app) };
}

interface Documented {
  document: ApiDocument;
  routes: readonly StagedRoute[];
}

/** The document takes long to build, and each `prepare` needs it. */
const known = new WeakMap<App, Documented>();

function documented(app: App): Documented {
  const made = known.get(app);
  if (made) return made;
  const document = documentOf(app);
  const operations = new Map(operationsOf(document));
  const built = { document, routes: app.routes.map((route) => staged(route, operations)) };
  known.set(app, built);
  return built;
}

/** The routes of the application, without a stage: `test.each` needs them at load time. */
export async function routeNames(): Promise<string[]> {
  const installation = await newInstallation({ shared: true });
  const names = installation.app.routes.map(({ method, path }) => `${method} ${templateOf(path)}`);
  await installation.close();
  return names;
}

export function routeNamed({ routes }: Stage, name: string): StagedRoute {
  const found = routes.find((route) => route.name === name);
  if (!found) throw new Error(`There is no route ${name}.`);
  return found;
}

function staged(route: Route, operations: ReadonlyMap<string, Operation>): StagedRoute {
  const template = templateOf(route.path);
  const name = `${route.method} ${template}`;
  return {
    name,
    method: route.method,
    template,
    security: securityOf(route),
    operation: operations.get(name),
    limits: bodyLimitsOf(route) ?? usualLimits,
  };
}

async function membersOf(school: StagedSchool): Promise<Record<Role, Member>> {
  const entries: [Role, Member][] = [];
  for (const role of roles) {
    // The school already has these: the student flew its flights, and the owner created it.
    const { owner, student, instructor } = school;
    const known: Partial<Record<Role, Member>> = { owner, student, instructor };
    entries.push([role, known[role] ?? (await school.join([role], `Only ${role}`))]);
  }
  return Object.fromEntries(entries) as Record<Role, Member>;
}

/** Returns a valid request to the route for the right caller in `school`, with new records. */
export async function prepare(route: StagedRoute, school: StagedSchool): Promise<Prepared> {
  const names = [...route.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  let path = route.template;
  const called = await callers[route.name]?.(school);
  const given: Record<string, string> = {};
  for (const name of names) {
    const value =
      called?.params?.[name] ??
      (await (params[name]?.(school, route, given) ?? posted(school, path, `/{${name}}`, given)));
    if (!value) throw new Error(`test/support/stage.ts has no value for {${name}} of ${route.name}: add it to params.`);
    given[name] = value;
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  }
  const body = called?.body ?? (await bodyFor(route, school, given));
  const isUpload = body instanceof Blob && body.type === "application/pdf";
  const isLocal = route.template.startsWith("/debug/") || route.template === "/metrics";
  return {
    path,
    ...(body !== undefined && { body }),
    ...(isUpload && { query: "filename=a.pdf" }),
    ...(isLocal && { from: "127.0.0.1" }),
    ...(called && { caller: called.caller }),
    ...(await arrivals[route.name]?.(school, given)),
  };
}

/** A pack of another school about the student of an enrollment, and the key that has signed it. */
async function packFromElsewhere(school: StagedSchool, enrollmentId: string): Promise<{ body: Blob; query: string }> {
  const { student } = expectStatus(200, await school.owner.get(`/training/enrollments/${enrollmentId}`)).body.data;
  const other = await newSchool(school.installation);
  const { owner, student: trained } = other;
  expectStatus(200, await owner.patch(`/people/${trained.personId}`, { name: student.name }));
  await enrollment(other, trained.personId);
  const id = await newPack(other);
  const headers = { authorization: `Bearer ${owner.token}` };
  const url = `http://localhost/orgs/${other.orgId}/evidence-packs/${id}/content`;
  const zip = await (await school.installation.app.fetch(new Request(url, { headers }))).arrayBuffer();
  const [key] = expectStatus(200, await owner.get("/signing-keys")).body.data;
  return { body: new Blob([zip], { type: "application/zip" }), query: `key=${key.thumbprint}` };
}

/** Posts the example of the collection whose items have the id, below the parents in `path`. @returns the new id */
async function posted(school: StagedSchool, path: string, item: string, given: Given): Promise<string | undefined> {
  const collection = path.slice(0, path.indexOf(item));
  const isIt = ({ template }: StagedRoute) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(collection);
  const route = documented(school.installation.app).routes.find((one) => one.method === "POST" && isIt(one));
  const body = route && (await bodyFor(route, school, given));
  const query = body instanceof Blob ? "?filename=a.pdf" : "";
  return body
    ? expectStatus(201, await school.owner.call("POST", collection + query, { body })).body.data.id
    : undefined;
}

/**
 * Calls each POST and PATCH of the school's organization once: afterwards there are records and events of each kind.
 *
 * @param after called after each, with the name of the route
 */
export async function changeEach({ routes, school }: Stage, after?: (name: string) => Promise<void>): Promise<void> {
  for (const route of routes) {
    const changes = route.method === "POST" || route.method === "PATCH";
    if (!changes || route.security !== "organization") continue;
    const { path, query, body, caller } = await prepare(route, school);
    const headers = route.method === "POST" ? { "idempotency-key": crypto.randomUUID() } : {};
    const { status, text } = await school.owner.call(route.method, query === undefined ? path : `${path}?${query}`, {
      headers,
      ...(body !== undefined && { body }),
      ...(caller && { token: caller }),
    });
    if (status >= 300) throw new Error(`${route.name} responded with ${status}: ${text}`);
    await after?.(route.name);
  }
  await addMedical(school);
}

/** Jobs have work with a medical. The example in the document is a record of an aircraft. */
async function addMedical({ owner, student, installation }: StagedSchool): Promise<void> {
  const inDays = (days: number) =>
    new Date(installation.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const dates = { issued_on: inDays(-300), valid_until: inDays(45) };
  const medical = { person_id: student.personId, type: "medical", level: "class_2", ...dates };
  expectStatus(201, await owner.post("/compliance/records", medical));
}

/** Returns the positions of the ids in a template, except the organization's id. */
const idsIn = ({ template }: Pick<StagedRoute, "template">): number[] =>
  template.split("/").flatMap((part, at) => (/^\{\w+Id\}$/.test(part) && part !== "{orgId}" ? [at] : []));

/** Returns whether a record is below another in the path: `/people/{personId}/documents/{documentId}`. */
export const isNested = (route: Pick<StagedRoute, "template">): boolean => idsIn(route).length > 1;

/** For a nested route, puts the record of one path under the parent of another path, where it must not be found. */
export function underAnotherParent(route: Pick<StagedRoute, "template">, path: string, other: string): string {
  const parents = new Set(idsIn(route).slice(0, -1));
  const others = other.split("/");
  return path
    .split("/")
    .map((part, at) => (parents.has(at) ? (others[at] ?? part) : part))
    .join("/");
}

/** For routes that need a query, or that a browser is redirected to: the query and the headers. */
const arrivals: Record<
  string,
  (school: StagedSchool, given: Given) => Promise<Pick<Prepared, "query" | "headers" | "body">>
> = {
  "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/credits/import": (school, { enrollmentId = "" }) =>
    packFromElsewhere(school, enrollmentId),
  "GET /orgs/{orgId}/training/enrollments/{enrollmentId}/migration-preview": async (school, given) => ({
    query: `revision_id=${(await otherRevision(school, given)).revision_id}`,
  }),
  "GET /orgs/{orgId}/compliance/suggested-validity": async () => ({ query: "type=sep&done_on=2025-03-14" }),
  "GET /orgs/{orgId}/clearance": async ({ aircraftId, student }) => ({
    query: `aircraft_id=${aircraftId}&person_id=${student.personId}&function=solo&at=2026-06-15T08:00:00Z`,
  }),
  "GET /public/orgs/{orgId}/vtr/{vtrId}/verify": async ({ owner }, { vtrId }) => {
    const share = { purpose: "vtr", subject_id: vtrId, name: "Another school" };
    const { token } = expectStatus(201, await owner.post("/share-tokens", share)).body.data;
    return { query: `token=${token}` };
  },
  "GET /public/orgs/{orgId}/calendars/{calendarId}": async ({ owner, orgId }) => {
    const share = { purpose: "calendar", subject_id: orgId, name: "Phone" };
    const { token } = expectStatus(201, await owner.post("/share-tokens", share)).body.data;
    return { query: `token=${token}` };
  },
  "GET /orgs/{orgId}/finance/invoice-runs/preview": async () => ({ query: "until=2026-06-30" }),
  "GET /orgs/{orgId}/search": async () => ({ query: "q=eabc" }),
  "GET /orgs/{orgId}/planning/free-slots": async ({ aircraftId }) => ({ query: `aircraft_id=${aircraftId}` }),
  "GET /orgs/{orgId}/planning/busy": async ({ aircraftId }) => ({
    query: `resource_id=${aircraftId}&from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z`,
  }),
  "GET /auth/oauth/callback": async ({ installation }) => {
    const begun = await begin(installation);
    const claims = { sub: `arrived-${next()}`, email: `arrived${next()}@example.com`, email_verified: true };
    return { query: providerOf(installation).admit(begun, claims), headers: { cookie: begun.cookie } };
  },
};

interface Called {
  caller: string;
  body?: Record<string, unknown>;
  params?: Record<string, string>;
}

async function moderating({ installation, owner, orgId }: StagedSchool): Promise<Called> {
  await publish(owner, "schools", orgId);
  return { caller: (await newModerator(installation)).token, params: { type: "schools", id: orgId } };
}

async function signedInTwice(school: StagedSchool): Promise<Called> {
  const member = await school.join(["student"], `Twice signed in ${next()}`);
  return { caller: member.token, params: { sessionId: sessionOf(await newSession(school, member)) } };
}

async function linked(school: StagedSchool): Promise<Called> {
  const { installation } = school;
  const { token } = await school.join(["student"], `Linked ${next()}`);
  const begun = await begin(installation, { token });
  const back = providerOf(installation).admit(begun, { sub: `linked-${next()}` });
  expectStatus(200, await comeBack(installation, back, begun.cookie));
  return { caller: token, params: { provider: "google" } };
}

/** For routes that need a caller in a special state: creates such a caller, and the request. */
const callers: Record<string, (school: StagedSchool) => Promise<Called>> = {
  "POST /orgs/{orgId}/training/signoffs/{signoffId}/acknowledge": async ({ student }) => ({ caller: student.token }),
  "POST /opportunities/{opportunityId}/applications": async ({ installation, owner }) => ({
    caller: (await newAccount(installation)).token,
    params: { opportunityId: await publishedOpportunity(owner) },
  }),
  "GET /admin/addon-listings": async ({ installation }) => ({ caller: (await newReviewer(installation)).token }),
  "GET /admin/addon-listings/{listingId}": queued,
  "POST /admin/addon-listings/{listingId}/approve": queued,
  "POST /admin/addon-listings/{listingId}/reject": queued,
  "GET /admin/directory/{type}": async ({ installation }) => ({ caller: (await newModerator(installation)).token }),
  "GET /admin/directory/{type}/{id}": moderating,
  "PATCH /admin/directory/{type}/{id}": moderating,
  "GET /auth/sessions/{sessionId}": signedInTwice,
  "DELETE /auth/sessions/{sessionId}": signedInTwice,
  "GET /auth/identities/{provider}": linked,
  "DELETE /auth/identities/{provider}": linked,
  "POST /orgs/{orgId}/directory/instructors/{personId}/consent": consenting,
  "DELETE /orgs/{orgId}/directory/instructors/{personId}/consent": consenting,
  // An hour after the mail of the sign-up. The clock is shared, so the time of the mail is set back instead.
  "POST /auth/email/verification": async (school) => {
    const { token, userId } = await school.join(["student"], `Unverified ${next()}`);
    await school.installation.storage.control.write((tx) =>
      tx
        .update(emailTokens)
        .set({ created_at: shift(tx.now, -hours(1)) })
        .where(eq(emailTokens.user_id, userId as UserId)),
    );
    return { caller: token };
  },
  "POST /auth/mfa/enroll/verify": async (school) => {
    const { token } = await school.join(["student"], `Beginner ${next()}`);
    const begun = await school.installation.call("POST", "/auth/mfa/enroll/start", { token });
    const codes = authenticator(school.installation, expectStatus(200, begun).body.data.secret);
    return { caller: token, body: { code: await codes.code() } };
  },
  "POST /auth/mfa/recovery-codes/regenerate": async (school) => {
    const { token } = await enrolled(school);
    return { caller: token };
  },
  "POST /auth/mfa/step": async (school) => {
    const { token, code } = await enrolled(school);
    return { caller: token, body: { code } };
  },
};

async function consenting(school: StagedSchool): Promise<Called> {
  return { caller: school.student.token, params: { personId: await ownProfile(school) } };
}

/** A member with the fewest permissions reads only their own, and consents to it. */
async function ownProfile({ owner, student: { personId } }: StagedSchool): Promise<string> {
  expectStatus(200, await owner.patch(`/people/${personId}`, { types: ["student", "instructor"] }));
  await publish(owner, "instructors", personId);
  return personId;
}

async function queued({ installation, owner }: StagedSchool): Promise<Called> {
  const { token: caller } = await newReviewer(installation);
  return { caller, params: { listingId: (await submittedListing(owner)).id } };
}

async function enrolled(school: StagedSchool): Promise<{ token: string; email: string; code: string }> {
  const { token, email } = await school.join(["student"], `Enrolled ${next()}`);
  const factor = await enroll(school.installation, { token });
  return { token, email, code: await factor.code() };
}

/**
 * For each name in a path, creates a record of a school, where an example posted to its collection is not enough. A nested record finds its parent in `given`, the values of the
 * earlier names: `documentId: (school, _, { personId }) => …`.
 */
const params: Record<string, (school: StagedSchool, route: StagedRoute, given: Given) => Promise<string>> = {
  orgId: async ({ owner, orgId }, { name }) => {
    if (name.endsWith("/directory/school")) await publish(owner, "schools", orgId);
    return orgId;
  },
  type: async () => "aircraft",
  // One of its own: the school's may have been hidden by another request.
  id: async ({ owner }) => (await publish(owner, "aircraft", await newAircraft(owner))).subject_id,
  flightId: async (school, { name }) => {
    const submits = /\/(approve|reject|reverse|charge|rebill|waive)$|\/public\//.test(name);
    const { id } = await (submits ? school.submitFlight(school.student) : school.draftFlight(school.student));
    if (/\/(reverse|charge|rebill|waive)$/.test(name))
      expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
    return id;
  },
  opportunityId: ({ owner }, { name, template }) =>
    name.endsWith("/close") || !template.startsWith("/orgs/") ? publishedOpportunity(owner) : newOpportunity(owner),
  applicationId: (school) => newApplication(school),
  listingId: async ({ owner }, { name }) =>
    (await (name.endsWith("/withdraw") ? submittedListing(owner) : newListing(owner))).id,
  slug: async (school) => (await approvedListing(school)).slug,
  aircraftId: async ({ owner }, { template }) => {
    const id = await newAircraft(owner);
    if (template.includes("/directory/")) await publish(owner, "aircraft", id);
    return id;
  },
  groundingId: async ({ owner }, _, { aircraftId }) => {
    const grounded = await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Nose wheel shimmy." });
    return expectStatus(200, grounded).body.data.groundings[0].id;
  },
  workOrderId: async ({ owner, aircraftId }, { name }) => {
    const order = { aircraft_id: aircraftId, title: `Work ${next()}` };
    const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
    if (/\/(reopen|complete)$/.test(name)) expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
    return id;
  },
  personId: async (school, { method, name, template }) => {
    if (template.includes("/directory/")) return method === "GET" ? ownProfile(school) : publishedInstructor(school);
    // Members with the fewest permissions may only read their own person, and change their own logbook.
    if (method === "GET" || name.endsWith("/opening-totals")) return school.student.personId;
    const person = { name: `Person ${next()}`, types: ["pilot"] };
    return expectStatus(201, await school.owner.post("/people", person)).body.data.id;
  },
  sessionId: async (school, { name }) => {
    const { owner, student } = school;
    const isPast = /\/(no-show|check-in|complete)$/.test(name);
    const isRequest = name.endsWith("/confirm");
    if (isRequest) expectStatus(200, await owner.patch("/planning/settings", { confirm_requests: true }));
    const booked = await (isRequest ? student : owner).post("/planning/sessions", groundSession(school, isPast));
    const { id } = expectStatus(201, booked).body.data;
    if (isRequest) expectStatus(200, await owner.patch("/planning/settings", { confirm_requests: false }));
    if (name.endsWith("/complete")) expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`));
    return id;
  },
  wishId: async (school, { name }) => {
    const { owner } = school;
    const slot = groundSession(school);
    const instructor_id = school.instructor.personId;
    // The oldest wish gets the offer, and those of the same millisecond are in no order.
    const waiting = expectStatus(200, await owner.get("/planning/wishes?status=waiting")).body.data;
    if (name.endsWith("/decline"))
      for (const { id } of waiting) expectStatus(200, await owner.post(`/planning/wishes/${id}/withdraw`));
    const wish = { ...wishOf(school), instructor_id, from_at: slot.start_at, until_at: slot.end_at };
    const { id } = expectStatus(201, await owner.post("/planning/wishes", wish)).body.data;
    if (name.endsWith("/decline")) {
      const taught = { ...slot, student_ids: [], instructor_id };
      const booked = expectStatus(201, await owner.post("/planning/sessions", taught)).body.data;
      expectStatus(200, await owner.post(`/planning/sessions/${booked.id}/cancel`, { reason: "other" }));
    }
    return id;
  },
  calendarId: async ({ orgId }) => `${orgId}.ics`,
  typeId: async ({ owner }) => {
    const type = { key: `own_${next()}`, name: "Club check", subject: "person" };
    return expectStatus(201, await owner.post("/compliance/types", type)).body.data.id;
  },
  recordId: async (school, { method }) => {
    // Students read only their own records, and mechanics withdraw only those of aircraft.
    const { personId } = school.student;
    const record = method === "GET" ? { ...ownSep, person_id: personId } : await aircraftRecord(school);
    return expectStatus(201, await school.owner.post("/compliance/records", record)).body.data.id;
  },
  packId: async (school, { name }) => {
    const id = await newPack(school);
    if (name.endsWith("/retry")) await failPack(school, id);
    return id;
  },
  vtrId: async (school) => newPack(school),
  // Members see only the tokens that they made, unless they manage all.
  shareTokenId: async ({ student }) => {
    const token = { purpose: "calendar", subject_id: student.personId, name: "My phone" };
    return expectStatus(201, await student.post("/share-tokens", token)).body.data.id;
  },
  userId: async (school) => (await school.join(["student"], `Joined ${next()}`)).userId,
  apiKeyId: async (school) => {
    const key = { name: `Key ${next()}`, scopes: ["public.flights:read"] };
    return expectStatus(201, await school.owner.post("/integrations/api-keys", key)).body.data.id;
  },
  endpointId: async (school) => (await webhookEndpoint(school)).id,
  eventId: async (school) => (await pinged(school)).event_id,
  deliveryId: async (school) => (await pinged(school)).delivery_ids[0] ?? "",
  replayId: async (school) => {
    await cancelReplay(school);
    return expectStatus(202, await school.owner.post("/integrations/replays", await lastMinute(school))).body.data.id;
  },
  name: async () => "intents",
  enrollmentId: async (school, { method, name }) => {
    const enrolled = await enrollment(school, method === "GET" ? school.student.personId : undefined);
    if (name.endsWith("/complete")) await finish(school, enrolled);
    if (name.endsWith("/resume"))
      expectStatus(200, await school.owner.post(`/training/enrollments/${enrolled.id}/suspend`, { reason: "Abroad." }));
    return enrolled.id;
  },
  signoffId: async (school, { method, name }) => {
    // Students read and acknowledge their own, and instructors void their own.
    const { instructor, student } = school;
    const isOwn = method === "GET" || name.endsWith("/acknowledge");
    const signoff = await newSignoff(school, isOwn ? student.personId : undefined);
    return expectStatus(201, await instructor.post("/training/signoffs", signoff)).body.data.id;
  },
  // Instructors void their own.
  groundSessionId: async (school, _, given) => {
    const session = { lesson_id: (await lessonsOf(school, given))[1]?.id, held_on: "2026-06-10", minutes: 45 };
    const path = `/training/enrollments/${given.enrollmentId}/ground-sessions`;
    return expectStatus(201, await school.instructor.post(path, session)).body.data.id;
  },
  examId: async (school, _, given) => {
    const exam = { kind: "theory", subject: "air_law", percent: 88, taken_on: "2026-06-01" };
    const path = `/training/enrollments/${given.enrollmentId}/exams`;
    return expectStatus(201, await school.instructor.post(path, exam)).body.data.id;
  },
  key: async (_, { template }) => (template.includes("/training/") ? "ppl-a" : "piston-aeroplane"),
  revisionId: async ({ owner }, { name }, { programId }) => {
    const path = `/training/programs/${programId}/revisions`;
    const { id } = expectStatus(201, await owner.post(path, smallSyllabus)).body.data;
    if (name.endsWith("/retire")) expectStatus(200, await owner.post(`${path}/${id}/publish`));
    return id;
  },
  rule: async () => "medical_missing",
  invoiceId: async (school, { name }) => {
    // Of a person of its own, who has nothing on account. The student may see one that was sent to them.
    const isRead = name.startsWith("GET");
    const invoice = await newInvoice(school, { person_id: isRead ? undefined : await newStudent(school) });
    if (isRead || /\/(credit|refund|cancel)$/.test(name)) await sendInvoice(school, invoice);
    return name.endsWith("/refund") ? (await creditAfterPayment(school, invoice)).id : invoice.id;
  },
  paymentId: async (school, { name }) => {
    const person_id = name.startsWith("GET") ? school.student.personId : await newStudent(school);
    if (name.endsWith("/allocate")) await sendInvoice(school, await newInvoice(school, { person_id }));
    const payment = { ...onAccount, person_id, method: "cash" };
    return expectStatus(201, await school.owner.post("/finance/payments", payment)).body.data.id;
  },
  inviteId: async (school, { template }) =>
    (template.includes("/student-invites/") ? await studentInvite(school) : await memberInvite(school)).id,
  token: async (school, { template }) =>
    (template.includes("/student-invites/") ? await studentInvite(school) : await memberInvite(school)).token,
  version: async () => (await docsAssets()).version,
  file: async () => "style.css",
};

async function publishedInstructor({ owner }: StagedSchool): Promise<string> {
  const person = { name: `Instructor ${next()}`, types: ["instructor"] };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  await publish(owner, "instructors", id);
  return id;
}

async function newAircraft(owner: Member): Promise<string> {
  const aircraft = { registration: `D-F${next()}`, model: "Cessna 172S", class: "SEP" };
  return expectStatus(201, await owner.post("/aircraft", aircraft)).body.data.id;
}

/** A session of the student alone, at a time of its own: a student may book it and change it. */
function groundSession({ student }: StagedSchool, isPast = false) {
  const start = Date.UTC(isPast ? 2020 : 2098, 0, 1) + next() * 7_200_000;
  const [start_at, end_at] = [start, start + 5_400_000].map((time) => new Date(time).toISOString());
  const nothing = { aircraft_id: null, instructor_id: null, room_id: null, lesson_id: null };
  return { kind: "ground", start_at, end_at, ...nothing, student_ids: [student.personId] };
}

/** With a time window of its own. @param student who waits: too many wishes of one person are refused */
function wishOf({ student }: StagedSchool) {
  const start = Date.UTC(2097, 0, 1) + next() * 86_400_000;
  const [from_at, until_at] = [start, start + 86_400_000].map((time) => new Date(time).toISOString());
  return { person_id: student.personId, instructor_id: null, from_at, until_at, minutes: 60 };
}

/** Adds a program, and returns the id of its published revision. */
async function publishedRevision({ owner }: StagedSchool): Promise<string> {
  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", smallSyllabus)).body.data;
  expectStatus(200, await owner.post(`/training/programs/${program_id}/revisions/${id}/publish`));
  return id;
}

const newEnrollment = async (school: StagedSchool, studentId?: string) => ({
  student_id: studentId ?? (await newStudent(school)),
  revision_id: await publishedRevision(school),
  // Before the dates of the examples.
  started_on: "2025-06-01",
});

/** Enrolls a new student, or the given one. */
async function enrollment(school: StagedSchool, studentId?: string): Promise<{ id: string; program_id: string }> {
  const body = await newEnrollment(school, studentId);
  return expectStatus(201, await school.owner.post("/training/enrollments", body)).body.data;
}

/** Returns the lessons of an enrollment. */
async function lessonsOf({ owner }: StagedSchool, { enrollmentId }: Given): Promise<{ id: string; code: string }[]> {
  return expectStatus(200, await owner.get(`/training/enrollments/${enrollmentId}/progress`)).body.data.lessons;
}

/** Signs off all that the program of an enrollment asks for: it is moved to a revision with a lesson on the ground. */
async function finish({ owner, instructor }: StagedSchool, { id, program_id }: { id: string; program_id: string }) {
  const path = `/training/programs/${program_id}/revisions`;
  const unexamined = { skill_test: false, theory: null, subjects: [] };
  const syllabus = { ...smallSyllabus, ...unexamined, lessons: smallSyllabus.lessons.slice(1) };
  const revision = expectStatus(201, await owner.post(path, syllabus)).body.data;
  expectStatus(200, await owner.post(`${path}/${revision.id}/publish`));
  expectStatus(200, await owner.post(`/training/enrollments/${id}/migrate`, { revision_id: revision.id }));
  const [{ items }] = expectStatus(200, await owner.get(`${path}/${revision.id}/lessons`)).body.data;
  const signoff = { enrollment_id: id, item_id: items[0].id, grade: "3" };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
}

/** A signoff of a lesson on the ground. */
async function newSignoff(school: StagedSchool, studentId?: string) {
  const { id } = await enrollment(school, studentId);
  const { revision_id, program_id } = expectStatus(200, await school.owner.get(`/training/enrollments/${id}`)).body
    .data;
  const path = `/training/programs/${program_id}/revisions/${revision_id}/lessons`;
  const [item] = expectStatus(200, await school.owner.get(path)).body.data[1].items;
  return { enrollment_id: id, item_id: item.id, flight_id: null, instructor_id: null, grade: "3", signed_at: null };
}

/** Publishes another revision of the program of an enrollment. */
async function otherRevision({ owner }: StagedSchool, { enrollmentId }: Given): Promise<{ revision_id: string }> {
  const { program_id } = expectStatus(200, await owner.get(`/training/enrollments/${enrollmentId}`)).body.data;
  const path = `/training/programs/${program_id}/revisions`;
  const { id } = expectStatus(201, await owner.post(path, smallSyllabus)).body.data;
  expectStatus(200, await owner.post(`${path}/${id}/publish`));
  return { revision_id: id };
}

/** A syllabus for tests of routes. */
const smallSyllabus = {
  ...{ format: "windsock-syllabus-1", kind: "ppl_a", name: "PPL(A)", legal_basis: "FCL.210.A", skill_test: true },
  ...{ effective_from: "2020-04-08", subjects: [{ code: "air_law", name: "Air law" }], minima: [], phases: [] },
  theory: { pass_percent: 75, attempts: 4, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  scales: [{ code: "usual", grades: [{ code: "3", name: "As required", passed: true }] }],
  lessons: [
    { code: "1", name: "Circuits", kind: "dual", items: [{ code: "1", name: "Lands", scale: "usual" }] },
    { code: "2", name: "Briefing", kind: "ground", items: [{ code: "1", name: "Knows", scale: "usual" }] },
  ],
};
async function newPack({ student }: StagedSchool): Promise<string> {
  const pack = { type: "pilot_portable", person_id: student.personId };
  return expectStatus(202, await student.post("/evidence-packs", pack)).body.data.id;
}

/** As if building it had failed. */
const failPack = ({ installation, orgId }: StagedSchool, id: string) =>
  installation.storage.tenants
    .tenant(orgId as OrgId)
    .write((tx) => tx.run(sql`update evidence_packs set status = 'failed' where id = ${id}`));

const ownSep = { type: "sep", issued_on: "2025-03-14", valid_until: "2027-03-31" };

const aircraftRecord = async ({ owner }: StagedSchool) => {
  const aircraft = { registration: `D-R${next()}`, model: "Cessna 172S", class: "SEP" };
  const { id } = expectStatus(201, await owner.post("/aircraft", aircraft)).body.data;
  const dates = { issued_on: "2025-03-14", valid_until: "2026-03-13" };
  return { type: "arc", aircraft_id: id, person_id: null, supersedes: null, ...dates };
};

/**
 * Replaces the fields whose examples in the document can't be valid: ids of this school, unused tokens, and times relative to
 * the test's clock. Other routes use the example unchanged.
 */
const counters = ["hobbs", "tacho", "airframe_minutes", "landings"];

/** Omits fields whose example does not fit the school. */
const byDefault = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

const bodies: Record<string, (school: StagedSchool, given: Given) => Promise<Record<string, unknown>>> = {
  "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/migrate": otherRevision,
  "POST /auth/login": async ({ owner, orgId }) => ({ email: owner.email, password, org_id: orgId }),
  "POST /auth/mfa/verify": async (school) => {
    const { email, code } = await enrolled(school);
    return { mfa_token: await challenged(school.installation, email), code };
  },
  "POST /auth/refresh": async (school) => ({ refresh_token: (await logIn(school)).refresh_token }),
  "POST /auth/logout": async (school) => ({ refresh_token: (await logIn(school)).refresh_token }),
  "POST /auth/oauth/start": async () => ({ redirect_to: allowedPage }),
  "POST /auth/signup": async () => ({ email: `ada${next()}@example.com` }),
  "POST /auth/password": async () => ({ current_password: password }),
  "POST /auth/password/reset": async (school) => ({ token: await mailedToken(school, "reset") }),
  "POST /auth/email/verify": async (school) => ({ token: await mailedToken(school, "verify") }),
  "POST /auth/signup-org": async () => ({ email: `ada${next()}@example.com` }),
  "POST /auth/org-invites/claim": async (school) => ({ token: (await memberInvite(school)).token }),
  "POST /auth/student-invites/claim": async (school) => ({ token: (await studentInvite(school)).token }),
  "POST /auth/establish-exchange": async ({ owner }) => ({
    token: expectStatus(200, await owner.call("POST", "/auth/establish-token")).body.token,
  }),
  "POST /orgs/{orgId}/student-invites": async (school) => ({ person_id: await newStudent(school) }),
  "POST /orgs/{orgId}/people": async () => ({ user_id: null, supervisor_id: null }),
  "PATCH /orgs/{orgId}/people/{personId}": async () => ({ user_id: null, supervisor_id: null }),
  "POST /orgs/{orgId}/aircraft": async () => ({ registration: `D-N${next()}` }),
  "PATCH /orgs/{orgId}/aircraft/{aircraftId}": async () => ({ registration: `D-P${next()}` }),
  "POST /orgs/{orgId}/compliance/types": async () => ({ key: `own_${next()}` }),
  "POST /orgs/{orgId}/compliance/records": aircraftRecord,
  "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions": async (school, given) => ({
    instructor_id: null,
    lesson_id: (await lessonsOf(school, given))[1]?.id,
  }),
  "POST /orgs/{orgId}/training/signoffs": async (school) => newSignoff(school),
  "POST /orgs/{orgId}/training/enrollments": async (school) => newEnrollment(school),
  "PATCH /orgs/{orgId}/finance/customers/{personId}": async () => ({ customer_number: String(next()) }),
  "POST /orgs/{orgId}/maintenance/items/{itemId}/done": async () =>
    byDefault(["last_done_on", ...counters.map((name) => `last_done_${name}`)]),
  "POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete": async () => byDefault(["on", ...counters]),
  "POST /orgs/{orgId}/maintenance/items": async ({ aircraftId }) => ({ aircraft_id: aircraftId }),
  "POST /orgs/{orgId}/maintenance/work-orders": async (school) => ({
    aircraft_id: school.aircraftId,
    item_ids: [await maintenanceItem(school)],
    parts: [{ name: "Oil filter", part_number: "CH48110-1", quantity: "1.00" }],
  }),
  "PATCH /orgs/{orgId}/maintenance/work-orders/{workOrderId}": async (school) => ({
    item_ids: [await maintenanceItem(school)],
  }),
  "POST /orgs/{orgId}/aircraft/{aircraftId}/defects": async () => ({ flight_id: null }),
  "PATCH /applications/{applicationId}/status": async () => ({ status: "shortlisted" }),
  "POST /orgs/{orgId}/addon-listings": async () => ({ slug: `add-on-${next()}` }),
  "PATCH /orgs/{orgId}/addon-listings/{listingId}": async () => ({ slug: `add-on-${next()}` }),
  "POST /orgs/{orgId}/evidence-packs": async ({ student }) => ({ person_id: student.personId }),
  "POST /orgs/{orgId}/share-tokens": async ({ student }) => ({ subject_id: student.personId }),
  "POST /orgs/{orgId}/maintenance/templates/{key}/apply": async ({ aircraftId }) => ({ aircraft_id: aircraftId }),
  "POST /orgs/{orgId}/flights": async (school) => school.flightBody(flown),
  "PATCH /orgs/{orgId}/flights/{flightId}": async (school) => school.flightBody(flown),
  "POST /orgs/{orgId}/planning/sessions": async (school) => groundSession(school),
  "PATCH /orgs/{orgId}/planning/sessions/{sessionId}": async (school) => {
    const { kind: _, ...change } = groundSession(school);
    return change;
  },
  "POST /orgs/{orgId}/planning/sessions/{sessionId}/reschedule": async (school) => ({
    start_at: groundSession(school).start_at,
  }),
  "POST /orgs/{orgId}/planning/series": async (school) => {
    const { start_at, end_at: _, ...content } = groundSession(school);
    return { ...content, from_on: `2097${start_at?.slice(4, 10)}`, until_on: null, count: 1 };
  },
  "POST /orgs/{orgId}/planning/wishes": async (school) => wishOf(school),
  // Otherwise other requests could not book.
  "PATCH /orgs/{orgId}/planning/settings": async () => ({ ...defaults }),
  "POST /orgs/{orgId}/planning/rooms": async () => ({ name: `Room ${next()}` }),
  "PATCH /orgs/{orgId}/planning/rooms/{roomId}": async () => ({ name: `Room ${next()}` }),
  "POST /orgs/{orgId}/planning/hours": async (school) => ({ person_id: await newStudent(school) }),
  "POST /orgs/{orgId}/planning/absences": async (school) => ({ person_id: await newStudent(school) }),
  "POST /orgs/{orgId}/integrations/events/{eventId}/replay": async (school) => ({
    endpoint_id: (await webhookEndpoint(school)).id,
  }),
  "POST /orgs/{orgId}/integrations/replays": async (school) => {
    await cancelReplay(school);
    return { ...(await lastMinute(school)), endpoint_id: (await webhookEndpoint(school)).id };
  },
  // A designator has at most four characters.
  "POST /orgs/{orgId}/finance/rates": async () => ({ icao_type: `T${next().toString(36).toUpperCase()}` }),
  "POST /orgs/{orgId}/finance/charges": async ({ student }) => ({ person_id: student.personId }),
  "POST /orgs/{orgId}/finance/invoices": async (school) => {
    const { owner, student } = school;
    const charge = { ...headset, person_id: student.personId };
    const { id } = expectStatus(201, await owner.post("/finance/charges", charge)).body.data;
    return { person_id: student.personId, until: null, charge_ids: [id], lines: [headset] };
  },
  "PATCH /orgs/{orgId}/finance/invoices/{invoiceId}": async () => ({ lines: [headset] }),
  "POST /orgs/{orgId}/finance/invoices/{invoiceId}/credit": async ({ owner }, { invoiceId }) => ({
    lines: (await owner.get(`/finance/invoices/${invoiceId}`)).body.data.lines.map(({ id }: { id: string }) => ({
      ...{ line_id: id, quantity: null, net_minor: null },
    })),
  }),
  "POST /orgs/{orgId}/finance/invoice-runs": async () => ({ send: false }),
  "POST /orgs/{orgId}/finance/payments": async ({ student }) => ({ ...onAccount, person_id: student.personId }),
  "POST /orgs/{orgId}/finance/payments/{paymentId}/allocate": async (school, { paymentId }) => {
    const { person_id } = (await school.owner.get(`/finance/payments/${paymentId}`)).body.data;
    const [invoice] = (await school.owner.get(`/finance/invoices?person_id=${person_id}`)).body.data;
    return { invoice_id: invoice.id, amount_minor: null };
  },
  "POST /orgs/{orgId}/finance/payments/{paymentId}/refund": async () => ({ refunded_on: null, amount_minor: null }),
  "POST /orgs/{orgId}/finance/invoices/{invoiceId}/refund": async () => ({ refunded_on: null, amount_minor: null }),
  "POST /orgs/{orgId}/finance/packages": async ({ student }) => ({ person_id: student.personId }),
  "POST /orgs/{orgId}/integrations/api-keys": async ({ installation }) => ({
    expires_at: new Date(installation.clock.now().getTime() + 86_400_000).toISOString(),
  }),
};

/** A body with every figure of a flight, so that tests can make each field invalid. */
const flown = {
  body: { lesson_id: null, take_off_at: null, landing_at: null, hobbs_start: "1234.50", hobbs_end: "1235.50" },
};

async function bodyFor({ name, operation }: StagedRoute, school: StagedSchool, given: Given = {}): Promise<unknown> {
  const file = operation && csvOf(operation)?.example;
  if (typeof file === "string") return csv(file);
  if (operation && fileOf(operation)) return pdf();
  const example = operation && bodyOf(operation)?.example;
  if (typeof example !== "object" || example === null) return example;
  const body = { ...example, ...(await bodies[name]?.(school, given)) };
  const leftOver = JSON.stringify(body).match(EXAMPLE_ID);
  if (leftOver) throw new Error(`The body of ${name} needs a real id: add it to bodies in test/support/stage.ts.`);
  return body;
}

const EXAMPLE_ID = /01890a5d-ac96-774b-bcce-b302099a8057/;

async function logIn({ installation, owner }: StagedSchool): Promise<{ access_token: string; refresh_token: string }> {
  const answer = await installation.call("POST", "/auth/login", {
    body: { email: owner.email, password },
    from: `203.0.113.${next() % 250}`,
  });
  return expectStatus(200, answer).body;
}

interface Invite {
  id: string;
  token: string;
}

async function memberInvite(school: StagedSchool): Promise<Invite> {
  const invite = { email: `invited${next()}@example.com`, roles: ["student"] };
  return expectStatus(201, await school.owner.post("/invites", invite)).body.data;
}

async function newStudent(school: StagedSchool): Promise<string> {
  const student = { name: `Student ${next()}`, types: ["student"] };
  return expectStatus(201, await school.owner.post("/people", student)).body.data.id;
}

async function studentInvite(school: StagedSchool): Promise<Invite> {
  const invite = { person_id: await newStudent(school), email: `student${next()}@example.com` };
  return expectStatus(201, await school.owner.post("/student-invites", invite)).body.data;
}

/** Returns the session of an access token. */
const sessionOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()).sid;

/** Returns a token that was mailed to a new account. */
async function mailedToken({ installation }: StagedSchool, action: "reset" | "verify"): Promise<string> {
  const email = `mailed${next()}@example.com`;
  const from = `203.0.113.${next() % 250}`;
  const body = { email, password, name: "Mailed" };
  expectStatus(201, await installation.call("POST", "/auth/signup", { body, from }));
  if (action === "reset") await installation.call("POST", "/auth/password/forgot", { body: { email }, from });
  return tokenIn(installation.mails, email, action);
}

/** An endpoint without a receiver: its name resolves to a public address in the tests. */
export const webhookUrl = "https://hooks.example.com/windsock";

async function maintenanceItem({ owner, aircraftId }: StagedSchool): Promise<string> {
  const item = { aircraft_id: aircraftId, name: `Check ${next()}`, interval_months: 12, last_done_on: "2026-06-01" };
  return expectStatus(201, await owner.post("/maintenance/items", item)).body.data.id;
}

/** Only one may exist at a time. */
async function cancelReplay({ owner }: StagedSchool): Promise<void> {
  const { data } = (await owner.get("/integrations/replays?limit=500")).body;
  const running = data.find(({ status }: { status: string }) => status === "running");
  if (running) expectStatus(200, await owner.post(`/integrations/replays/${running.id}/cancel`));
}

const lastMinute = async ({ installation }: StagedSchool) => {
  const now = installation.clock.now().getTime();
  return { since: new Date(now - 60_000).toISOString(), until: new Date(now).toISOString() };
};

async function pinged(school: StagedSchool): Promise<{ event_id: string; delivery_ids: string[] }> {
  const { id } = await webhookEndpoint(school);
  return expectStatus(201, await school.owner.post(`/integrations/webhook-endpoints/${id}/ping`)).body.data;
}

async function webhookEndpoint(school: StagedSchool): Promise<{ id: string }> {
  const endpoint = { url: webhookUrl, event_types: ["flight.submitted", "flight.approved", "webhook.test"] };
  return expectStatus(201, await school.owner.post("/integrations/webhook-endpoints", endpoint)).body.data;
}

let count = 100;
const next = () => ++count;

/** All scopes but one. */
export const scopesWithout = (scope: string): string[] =>
  scopeCatalog.map((entry) => entry.name).filter((other) => other !== scope);

/** Returns an access token of a new session. */
export async function newSession({ installation }: StagedSchool, { email }: Pick<Member, "email">): Promise<string> {
  const answer = await installation.call("POST", "/auth/login", {
    body: { email, password },
    from: `203.0.113.${next() % 250}`,
  });
  return expectStatus(200, answer).body.access_token;
}
