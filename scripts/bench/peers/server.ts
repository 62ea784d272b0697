/**
 * What a good engineer writes by hand for the same questions: Hono, bun:sqlite and prepared statements. It answers with
 * the same bytes, from a copy of the same files, and does what a server of its own needs: request id, security headers,
 * a line in the log, and a tag on the list. It counts no requests of an API key and does not note when it was used.
 */
import { Hono } from "hono";
import { logger } from "hono/logger";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { openDatabases } from "./databases.ts";
import { createDrafting } from "./draft-flight.ts";
import { createPublicFlights } from "./public-flights.ts";
import { createResources } from "./resources.ts";
import { createSessions } from "./sessions.ts";

const { PEER_PORT, PEER_DATA_DIR, PEER_ORGANIZATION, PEER_TOKEN_KEY, PEER_ISSUER } = process.env;
if (!PEER_DATA_DIR || !PEER_ORGANIZATION || !PEER_TOKEN_KEY || !PEER_ISSUER) throw new Error("A variable is missing.");

const databases = openDatabases(PEER_DATA_DIR, PEER_ORGANIZATION);
const sessions = createSessions(databases, { key: Buffer.from(PEER_TOKEN_KEY, "base64url"), issuer: PEER_ISSUER });
const publicFlights = createPublicFlights(databases);
const resources = createResources(databases);
const draft = createDrafting(databases);

const json = (text: string, status = 200) =>
  new Response(text, { status, headers: { "content-type": "application/json;charset=utf-8" } });
/** As `json`, with the tag that a client may ask by again. */
const tagged = (text: string, ifNoneMatch: string | undefined) => {
  const etag = `"${Bun.hash(text).toString(36)}"`;
  const headers = { etag, "cache-control": "private, no-cache", "content-type": "application/json;charset=utf-8" };
  return ifNoneMatch === etag ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
};
const refused = (status: number) => json(JSON.stringify({ error: { status } }), status);

const app = new Hono();
app.use(requestId(), secureHeaders(), logger());

app.get("/health", (c) => c.text("ok"));

app.get("/api/v1/public/flights", (c) => {
  if (!publicFlights.admits(c.req.header("authorization"), c.req.header("x-org-id"))) return refused(401);
  const body = publicFlights.list(c.req.query());
  return body === undefined ? refused(400) : tagged(body, c.req.header("if-none-match"));
});

app.get("/orgs/:orgId", (c) => {
  const member = sessions.member(c.req.header("authorization"), c.req.param("orgId"));
  if (typeof member === "number") return refused(member);
  return json(resources.organization(member.orgId));
});

app.get("/orgs/:orgId/flights/:flightId", (c) => {
  const member = sessions.member(c.req.header("authorization"), c.req.param("orgId"));
  if (typeof member === "number") return refused(member);
  const body = resources.flight(member, c.req.param("flightId"));
  return body === undefined ? refused(404) : json(body);
});

app.post("/orgs/:orgId/flights", async (c) => {
  const member = sessions.member(c.req.header("authorization"), c.req.param("orgId"));
  if (typeof member === "number") return refused(member);
  const drafted = draft(member, await c.req.json(), c.get("requestId"));
  return typeof drafted === "number" ? refused(drafted) : json(drafted, 201);
});

Bun.serve({ hostname: "127.0.0.1", port: Number(PEER_PORT), fetch: app.fetch });
