import { Elysia } from "elysia";
import program from "../../../package.json" with { type: "json" };
import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { data, page, responses, textResponse } from "../../http/responses.ts";
import { plainText } from "../../http/text-response.ts";
import { listAuditLog } from "./audit-log.queries.ts";
import { auditEntry } from "./audit-log.shapes.ts";
import { type Capability, toModules } from "./capabilities.ts";
import { AuditLogQuery, Capabilities } from "./operations.schemas.ts";

interface Switches {
  /** What this version has and the operator did not switch off. */
  capabilities: ReadonlySet<Capability>;
  /** Those one can sign in through, by name. */
  oidcProviders: ReadonlyMap<string, unknown>;
  /** Whether there is a mail server. */
  mail: boolean;
}

const WhatIsHere = data(Capabilities);
const AuditLog = page(auditEntry.schema);

/** What an operator, a front end and an auditor ask: `/health`, `/capabilities`, `/orgs/{orgId}/audit-log` */
export const operationsRoutes = (http: Http, switches: Switches) =>
  new Elysia({ name: "operations" }).use(openRoutes(http, switches)).use(auditLogRoutes(http));

function openRoutes({ open }: Http, { capabilities, oidcProviders, mail }: Switches) {
  const modules = toModules(capabilities);
  const answer = { data: { version: program.version, modules, oauth_providers: [...oidcProviders.keys()], mail } };
  return new Elysia({ name: "health", tags: ["Operational"] })
    .use(open)
    .get("/health", () => plainText("ok"), {
      response: responses({ 200: textResponse("text/plain") }),
      detail: { summary: "Health", description: "Says `ok` as long as the process answers; it asks no database." },
    })
    .get("/capabilities", () => answer, {
      response: responses({ 200: WhatIsHere }),
      detail: {
        summary: "Capabilities",
        description:
          "The program's version, which modules are here and switched on, through which providers one can sign in, and whether mail is sent.",
      },
    });
}

const auditLogRoutes = ({ session }: Http) =>
  new Elysia({ name: "audit log", prefix: "/orgs/:orgId/audit-log", tags: ["Operational"] }).use(session).get(
    "/",
    async ({ context: { actor, tenant, control }, query: { log, ...query } }) => {
      authorize(actor, "audit:read");
      const body =
        log === "organization"
          ? control.read((reader) => listAuditLog(reader, { ...query, orgId: actor.orgId }))
          : tenant.read((reader) => listAuditLog(reader, query));
      return jsonText(await body);
    },
    {
      query: AuditLogQuery,
      response: responses({ 200: AuditLog }, 400, 401, 404),
      detail: {
        summary: "Read the audit log",
        description: "Every write in this organization, newest first: who, what, before and after.",
      },
    },
  );
