import { Elysia } from "elysia";
import program from "../../../package.json" with { type: "json" };
import type { Capability } from "../../core/capabilities.ts";
import { Problem } from "../../core/errors.ts";
import { withheldAt } from "../../core/secure-origin.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { listPage } from "../../http/list-page.ts";
import { AnyQuery } from "../../http/query.ts";
import { data, page, responses, textResponse } from "../../http/responses.ts";
import { plainText } from "../../http/text-response.ts";
import type { Storage } from "../../storage/storage.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { SignUpSetting } from "../accounts/sign-up-setting.ts";
import { listAuditLog } from "./audit-log.queries.ts";
import { auditEntry } from "./audit-log.shapes.ts";
import { toModules } from "./capabilities.ts";
import { hasOrganization } from "./has-organization.ts";
import { AuditLogQuery, Capabilities } from "./operations.schemas.ts";

interface Switches {
  /** The modules of this version that the operator did not disable. */
  capabilities: ReadonlySet<Capability>;
  /** The providers of sign-in, by name. */
  oidcProviders: ReadonlyMap<string, unknown>;
  /** Whether a mail server is configured. */
  mail: boolean;
  publicUrl: string;
  signUp: SignUpSetting;
  tenants: Pick<TenantStore, "canOpen">;
  storage: Pick<Storage, "fault" | "disk" | "control">;
}

const CapabilitiesResponse = data(Capabilities);
const AuditLog = page(auditEntry.schema);

/** `/health`, `/health/ready`, `/capabilities`, `/orgs/{orgId}/audit-log` */
export const operationsRoutes = (http: Http, switches: Switches) =>
  new Elysia({ name: "operations" }).use(openRoutes(http, switches)).use(auditLogRoutes(http));

function openRoutes(
  { withoutData }: Http,
  { capabilities, oidcProviders, mail, publicUrl, signUp, tenants, storage }: Switches,
) {
  const modules = toModules(capabilities);
  const origin = { url: publicUrl, withheld: [...withheldAt(publicUrl)] };
  const fixed = { version: program.version, modules, oauth_providers: [...oidcProviders.keys()], mail, origin };
  const hasOrganizations = hasOrganization(storage.control);
  return new Elysia({ name: "health", tags: ["Operational"] })
    .use(withoutData)
    .get("/health", () => plainText("ok"), {
      query: AnyQuery,
      response: responses({ 200: textResponse("text/plain") }),
      detail: {
        summary: "Health",
        description: "Returns `ok` while the process responds. It does not query a database.",
      },
    })
    .get(
      "/health/ready",
      () => {
        const fault = storage.fault();
        if (fault !== undefined) throw fault;
        if (!tenants.canOpen()) throw new Problem("UNAVAILABLE", "No more schools can be opened: too many open files.");
        const isLow = storage.disk.state() === "low";
        return plainText(isLow ? "ready\nwarning: the disk of the data directory is nearly full" : "ready");
      },
      {
        response: responses({ 200: textResponse("text/plain") }, 503, "disk_full"),
        detail: {
          summary: "Readiness",
          description:
            "Returns `ready` while the records of every school can be opened; a second line warns of a disk that is nearly full. 503: the disk is full, the data directory can't be read, the control database is damaged, or the process has too many open files, so only requests for schools that are open already succeed.",
        },
      },
    )
    .get(
      "/capabilities",
      async () => {
        const has_organizations = await hasOrganizations();
        const sign_up = signUp === "open" || (signUp === "first" && !has_organizations);
        return { data: { ...fixed, has_organizations, sign_up } };
      },
      {
        response: responses({ 200: CapabilitiesResponse }),
        detail: {
          summary: "Capabilities",
          description:
            "The version, the enabled modules, the providers of sign-in, whether mail is sent, whether an organization has signed up, and whether one may.",
        },
      },
    );
}

const auditLogRoutes = ({ session }: Http) =>
  new Elysia({ name: "audit log", prefix: "/orgs/:orgId/audit-log", tags: ["Operational"] })
    .use(session)
    .get(
      "/",
      async ({ context: { actor, tenant, control }, query: { log, ...query } }) =>
        listPage(query, (query) =>
          log === "organization"
            ? control.read((reader) => listAuditLog(reader, { ...query, orgId: actor.orgId }))
            : tenant.read((reader) => listAuditLog(reader, query)),
        ),
      {
        transform: requires("audit:read"),
        query: AuditLogQuery,
        response: responses({ 200: AuditLog }, 400, 401, 404),
        detail: {
          summary: "Read the audit log",
          description:
            "All writes in this organization, newest first, with actor, action, and the subject before and after.",
        },
      },
    );
