/** The document's example bodies are sent unchanged: a copy of an example must be accepted. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { bodyOf } from "../support/document.ts";
import type { Call } from "../support/installation.ts";
import type { Prepared, StagedRoute } from "../support/scenery.ts";
import { newStage, prepare, type Stage } from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await newStage();
});
afterAll(() => stage.installation.close());

/** Fields whose examples can't be valid. */
const EXAMPLE_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Returns the example, with ids of this school. */
function withRealIds(example: object, { body }: Prepared): object {
  const real = new Map(Object.entries(Object(body)));
  return Object.fromEntries(
    Object.entries(example).map(([field, value]) => [
      field,
      JSON.stringify(value).includes(EXAMPLE_ID) ? real.get(field) : value,
    ]),
  );
}

async function credentials({ security }: StagedRoute, { caller }: Prepared): Promise<Call> {
  const { school } = stage;
  if (typeof security === "object") return { token: await school.apiKey(security.scope), org: school.orgId };
  if (security === "organization" || security === "user-or-member") return { token: school.owner.token };
  return security === "user" ? { token: caller ?? (await school.join(["student"])).token } : {};
}

/** Returns the routes that respond with 400 to their own example, and the responses. */
async function refused(routes: readonly StagedRoute[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const route of routes) {
    const example = route.operation && bodyOf(route.operation)?.example;
    if (typeof example !== "object" || example === null) throw new Error(`${route.name} has no example.`);
    const prepared = await prepare(route, stage.school);
    const call = { ...(await credentials(route, prepared)), body: withRealIds(example, prepared) };
    const { status, body } = await stage.installation.call(route.method, prepared.path, call);
    if (status === 400) found[route.name] = body.issues.map(({ path }: { path: string }) => path);
  }
  return found;
}

const withBody = () => stage.routes.filter(({ operation }) => operation && bodyOf(operation));
const isIntegration = ({ template }: StagedRoute) => /\/integrations\/|\/public\//.test(template);

test("every example body of the integrations is accepted", async () => {
  const routes = withBody().filter(isIntegration);
  expect(routes.length).toBeGreaterThan(5);
  expect(await refused(routes)).toEqual({});
});

test("of the other examples, only those with time-dependent or configured values are refused", async () => {
  expect(await refused(withBody().filter((route) => !isIntegration(route)))).toEqual({
    // A current code, and a page that the operator has configured.
    "POST /auth/mfa/enroll/verify": ["body.code"],
    "POST /auth/oauth/start": ["body.redirect_to"],
    // A day and readings that must be in the aircraft's records.
    "POST /orgs/{orgId}/maintenance/items/{itemId}/done": ["body.last_done_on"],
    "POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete": ["body.tacho", "body.landings"],
  });
}, 300_000);
