/**
 * A school with real records of every kind, and a valid request for each route. Tests generated from the list of routes use
 * it. They fail for a new route that needs an entry in the scenery of its module, `test/http/<module>/scenery.ts`.
 */
import type { App } from "../../src/app.ts";
import { scopeCatalog } from "../../src/core/scopes.ts";
import { bodyLimitsOf, usualLimits } from "../../src/http/body-limits.ts";
import { templateOf } from "../../src/http/path-template.ts";
import type { Route } from "../../src/http/route.ts";
import { securityOf } from "../../src/http/route-security.ts";
import { type Role, roles } from "../../src/identity/roles.ts";
import { accountsScenery } from "../http/accounts/scenery.ts";
import { addonsScenery } from "../http/addons/scenery.ts";
import { clearanceScenery } from "../http/clearance/scenery.ts";
import { addMedical, complianceScenery } from "../http/compliance/scenery.ts";
import { directoryScenery } from "../http/directory/scenery.ts";
import { evidenceScenery } from "../http/evidence/scenery.ts";
import { financeScenery } from "../http/finance/scenery.ts";
import { fleetScenery } from "../http/fleet/scenery.ts";
import { flightsScenery } from "../http/flights/scenery.ts";
import { integrationsScenery } from "../http/integrations/scenery.ts";
import { maintenanceScenery } from "../http/maintenance/scenery.ts";
import { marketplaceScenery } from "../http/marketplace/scenery.ts";
import { operationsScenery } from "../http/operations/scenery.ts";
import { organizationsScenery } from "../http/organizations/scenery.ts";
import { peopleScenery } from "../http/people/scenery.ts";
import { planningScenery } from "../http/planning/scenery.ts";
import { rulesScenery } from "../http/rules/scenery.ts";
import { searchScenery } from "../http/search/scenery.ts";
import { sharingScenery } from "../http/sharing/scenery.ts";
import { trainingScenery } from "../http/training/scenery.ts";
import { type ApiDocument, bodyOf, csvOf, fileOf, type Operation, operationsOf, sharedDocumentOf } from "./document.ts";
import { type Installation, newInstallation } from "./installation.ts";
import { newInstallationWithProvider } from "./oidc.ts";
import type { Given, Prepared, Scenery, StagedRoute, StagedSchool } from "./scenery.ts";
import { csv, expectStatus, type Member, newSchool, pdf } from "./school.ts";

/** In the order of the modules. */
const sceneries: readonly Scenery[] = [
  accountsScenery,
  peopleScenery,
  organizationsScenery,
  fleetScenery,
  complianceScenery,
  rulesScenery,
  flightsScenery,
  maintenanceScenery,
  sharingScenery,
  trainingScenery,
  financeScenery,
  clearanceScenery,
  planningScenery,
  evidenceScenery,
  marketplaceScenery,
  integrationsScenery,
  addonsScenery,
  directoryScenery,
  searchScenery,
  operationsScenery,
];

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

/** Close it with `stage.installation.close()` in `afterAll`. */
export async function newStage({
  env: more,
  ...options
}: {
  directory?: string;
  env?: Record<string, string>;
  /** Whether responses are checked against the document. By default they are. */
  checked?: boolean;
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
  const document = sharedDocumentOf(app);
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
  const called = await sceneryFor(({ callers }) => callers, route)?.(school);
  const given: Record<string, string> = {};
  for (const name of names) {
    const value =
      called?.params?.[name] ??
      (await paramOf(name, school, route, given)) ??
      (await posted(school, path, `/{${name}}`, given));
    if (!value)
      throw new Error(
        `No scenery has a value for {${name}} of ${route.name}: add it to params in scenery.ts of its module.`,
      );
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
    ...(await sceneryFor(({ arrivals }) => arrivals, route)?.(school, given)),
  };
}

/** Returns what the module of a route has for it. */
function sceneryFor<Part>(part: (scenery: Scenery) => Record<string, Part> | undefined, { name }: StagedRoute) {
  return sceneries.map((scenery) => part(scenery)?.[name]).find((found) => found !== undefined);
}

/** Asks the modules from above: one that publishes a record, for example, gives another than the one that has it. */
async function paramOf(name: string, school: StagedSchool, route: StagedRoute, given: Given) {
  for (const { params } of sceneries.toReversed()) {
    const value = await params?.[name]?.(school, route, given);
    if (value !== undefined) return value;
  }
  return undefined;
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

async function bodyFor(route: StagedRoute, school: StagedSchool, given: Given = {}): Promise<unknown> {
  const { name, operation } = route;
  const file = operation && csvOf(operation)?.example;
  if (typeof file === "string") return csv(file);
  if (operation && fileOf(operation)) return pdf();
  const example = operation && bodyOf(operation)?.example;
  if (typeof example !== "object" || example === null) return example;
  const body = { ...example, ...(await sceneryFor(({ bodies }) => bodies, route)?.(school, given)) };
  const leftOver = JSON.stringify(body).match(EXAMPLE_ID);
  if (leftOver) throw new Error(`The body of ${name} needs a real id: add it to bodies in scenery.ts of its module.`);
  return body;
}

const EXAMPLE_ID = /01890a5d-ac96-774b-bcce-b302099a8057/;

/** All scopes but one. */
export const scopesWithout = (scope: string): string[] =>
  scopeCatalog.map((entry) => entry.name).filter((other) => other !== scope);
