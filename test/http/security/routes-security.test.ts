/** Generated from the list of routes: includes every route added later, which fails until its permissions are listed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { permissionsOf, type Role, roles } from "../../../src/identity/roles.ts";
import { commits } from "../../support/databases.ts";
import type { Operation } from "../../support/document.ts";
import type { Answer, Call } from "../../support/installation.ts";
import type { Prepared } from "../../support/scenery.ts";
import { csv } from "../../support/school.ts";
import {
  isNested,
  newStage,
  prepare,
  routeNamed,
  routeNames,
  type Stage,
  scopesWithout,
  underAnotherParent,
} from "../../support/stage.ts";
import { asked } from "./asked.ts";
import { type BadCredentials, type Credentials, credentials } from "./credentials.ts";
import { openRoutes, permissionsFor } from "./permissions.ts";

let stage: Stage;
let bad: Credentials;

beforeAll(async () => {
  stage = await newStage();
  bad = await credentials(stage);
});
afterAll(() => stage.installation.close());

/** The response without the request id. */
const told = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, error: { ...body.error, request_id: undefined } },
  authenticate: headers.get("www-authenticate"),
});

const noCredential = {
  status: 401,
  body: { error: { code: "UNAUTHORIZED", message: "Missing or invalid credentials.", request_id: undefined } },
  authenticate: "Bearer",
};

const noOrganization = {
  ...noCredential,
  body: { error: { ...noCredential.body.error, message: expect.stringContaining("X-Org-Id is missing") } },
};

const noSuchThing = {
  status: 404,
  body: { error: { code: "NOT_FOUND", message: "There is no such resource.", request_id: undefined } },
  authenticate: null,
};

const notPermitted = expect.objectContaining({
  status: 403,
  body: { error: expect.objectContaining({ code: "FORBIDDEN" }) },
});

const ask = (method: string, { path, query, caller: _, ...sent }: Prepared, call: Call) =>
  stage.installation.call(method, query === undefined ? path : `${path}?${query}`, { ...sent, ...call });

/** The responses to one request with each of the credentials. */
async function askWithEach(method: string, prepared: Prepared, wrong: BadCredentials) {
  const answers: Record<string, ReturnType<typeof told>> = {};
  for (const [name, call] of Object.entries(wrong)) answers[name] = told(await ask(method, prepared, call));
  return answers;
}

const each = <T>(names: Iterable<string>, value: T): Record<string, T> =>
  Object.fromEntries([...names].map((name) => [name, value]));

/** Runs requests that must be rejected, and checks that nothing was written to any database. */
async function changingNothing(requests: () => Promise<void>): Promise<void> {
  const before = await commits(stage.installation.storage);
  await requests();
  expect(await commits(stage.installation.storage)).toEqual(before);
}

const takesInput = (operation: Operation | undefined) =>
  operation?.requestBody !== undefined || operation?.parameters?.some((parameter) => parameter.in === "query");

const isSuccess = (answer: Answer) => {
  if (answer.status >= 300) throw new Error(`The right caller got ${answer.status}: ${answer.text}`);
};

const allRoutes = await routeNames();

describe.each(allRoutes)("%s", (name) => {
  test("rejects callers without access, its verb too, and changes nothing", async () => {
    const route = routeNamed(stage, name);
    const { security, method } = route;
    if (security === "open") {
      if (!openRoutes.includes(name))
        throw new Error(
          `${name} is open to everybody: if it is to be, add it to openRoutes in test/http/security/permissions.ts.`,
        );
      return;
    }

    const { school, stranger } = stage;
    const right = await prepare(route, school);
    if (security === "user" || security === "optional") {
      const { "no credential": _, ...shown } = bad.noSession;
      const wrong = security === "user" ? bad.noSession : shown;
      await changingNothing(async () => {
        expect(await askWithEach(method, right, wrong)).toEqual(each(Object.keys(wrong), noCredential));
      });
      // Its own session, because the route may end it.
      return isSuccess(
        await ask(
          method,
          right,
          security === "user" ? { token: right.caller ?? (await school.join(["student"])).token } : {},
        ),
      );
    }

    if (security === "user-or-member") {
      const elsewhere = { token: school.owner.token, org: stranger.orgId };
      const theirs = await prepare(route, stranger);
      await changingNothing(async () => {
        expect(await askWithEach(method, right, bad.noSession)).toEqual(each(Object.keys(bad.noSession), noCredential));
        expect(await askWithEach(method, right, { elsewhere })).toEqual({ elsewhere: notPermitted });
        if (theirs.path !== right.path) {
          const refused = await ask(method, theirs, { token: school.owner.token });
          expect([403, 404]).toContain(refused.status);
        }
      });
      return isSuccess(await ask(method, right, { token: school.owner.token }));
    }

    if (security === "organization") {
      const nowhere = { ...right, path: right.path.replace(school.orgId, "01890a5d-0000-7000-8000-000000000000") };
      const theirs = await prepare(route, stranger);
      const another = isNested(route) ? await prepare(route, school) : undefined;
      const ofOurs = { ...theirs, path: theirs.path.replace(stranger.orgId, school.orgId) };
      const [may, mayNot] = split(name);
      await changingNothing(async () => {
        expect(await askWithEach(method, right, bad.noSession)).toEqual(each(Object.keys(bad.noSession), noCredential));
        expect(await askWithEach(method, right, bad.notAMember)).toEqual(
          each(Object.keys(bad.notAMember), noSuchThing),
        );
        expect(told(await ask(method, nowhere, { token: school.owner.token }))).toEqual(noSuchThing);
        // The caller's own school in the path, and a record of another school after it.
        if (theirs.path !== `/orgs/${stranger.orgId}${right.path.slice(`/orgs/${school.orgId}`.length)}`)
          expect(told(await ask(method, ofOurs, { token: school.owner.token }))).toEqual(noSuchThing);
        expect(await askWithEach(method, right, tokensOf(mayNot))).toEqual(each(mayNot, notPermitted));
        // Also for invalid input: it is not validated for them.
        if (takesInput(route.operation)) {
          const spoiled = {
            ...right,
            query: "no_such_parameter=1",
            body: right.body instanceof Blob ? csv("no_such_column\n1") : right.body && { no_such_field: 1 },
          };
          expect(await askWithEach(method, spoiled, tokensOf(mayNot))).toEqual(each(mayNot, notPermitted));
        }
        await agrees(name, method, right);
        if (another) {
          const misplaced = underAnotherParent(route, right.path, another.path);
          expect(told(await ask(method, { ...right, path: misplaced }, { token: school.owner.token }))).toEqual(
            noSuchThing,
          );
        }
      });
      return isSuccess(await ask(method, right, { token: stage.members[may].token }));
    }

    if (security === "named-organization") {
      const [may, mayNot] = split(name);
      const org = school.orgId;
      const elsewhere = { token: school.owner.token, org: stranger.orgId };
      await changingNothing(async () => {
        expect(await askWithEach(method, right, bad.noSession)).toEqual(each(Object.keys(bad.noSession), noCredential));
        expect(await askWithEach(method, right, { elsewhere })).toEqual({ elsewhere: notPermitted });
        expect(await askWithEach(method, right, tokensOf(mayNot, org))).toEqual(each(mayNot, notPermitted));
        await agrees(name, method, right);
      });
      return isSuccess(await ask(method, right, { token: stage.members[may].token, org }));
    }

    const { scope } = security;
    const poor = await school.apiKey(...scopesWithout(scope));
    const rich = await school.apiKey(scope);
    await changingNothing(async () => {
      expect(await askWithEach(method, right, bad.noKey)).toEqual({
        ...each(Object.keys(bad.noKey), noCredential),
        "a key without its organization": noOrganization,
      });
      expect(told(await ask(method, right, { token: poor, org: school.orgId }))).toEqual(notPermitted);
    });
    isSuccess(await ask(method, right, { token: rich, org: school.orgId }));
  });
});

/** The least role that permits the route, and all roles that do not. */
function split(name: string): [may: Role, mayNot: Role[]] {
  const wanted = permissionsFor[name];
  if (!wanted)
    throw new Error(`test/http/security/permissions.ts has no entry for ${name}: add the permissions it takes.`);
  const permits = (role: Role) =>
    wanted.length === 0 || wanted.some((permission) => permissionsOf([role]).has(permission));
  const may = roles.findLast(permits);
  if (!may) throw new Error(`No role permits ${name}.`);
  return [may, roles.filter((role) => !permits(role))];
}

/**
 * The route requires what the table says, and its verb demands the same again. A read has no verb: its query filters by what the
 * caller may see.
 */
async function agrees(name: string, method: string, request: Prepared): Promise<void> {
  const wanted = permissionsFor[name] ?? [];
  if (wanted.length === 0) return;
  const call = () => ask(method, request, { token: stage.school.owner.token, org: stage.school.orgId });
  const route = new Set(await asked(call));
  // Who holds the first permission gets past the route.
  const verb = method === "GET" ? route : new Set(await asked(call, 1));
  expect({ route, verb }).toEqual({ route: new Set(wanted), verb: new Set(wanted) });
}

const tokensOf = (held: Role[], org?: string): BadCredentials =>
  Object.fromEntries(
    held.map((role) => [role, { token: stage.members[role].token, ...(org !== undefined && { org }) }]),
  );

test("every entry of the tables belongs to a route", () => {
  const known = [...Object.keys(permissionsFor), ...openRoutes];
  expect(known.filter((name) => !allRoutes.includes(name))).toEqual([]);
});
