/** A request, its webhook and its mail in one trace, on any runtime: in the log, at the receiver and at a collector. */
import { expect } from "bun:test";
import { join } from "node:path";
import { parseTraceparent } from "../../src/core/trace.ts";
import { type Collector, newCollector } from "./collector.ts";
import { startMailServer } from "./mail-server.ts";
import { type SchoolOverHttp, signUp } from "./over-http.ts";
import { newFolder, startServer, stop, urlOf } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";
import { openReceivers } from "./webhook-story.ts";

/** The environment of a server that exports to a collector, by OpenTelemetry's own variables. */
export const exportingTo = (collector: Pick<Collector, "url">): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-secret",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
});

export const traceId = "0af7651916cd43dd8448eb211c80319c";
export const callerSpan = "b7ad6b7169203331";

/** Sends a request in the trace of a caller. @returns its response's status */
export async function traced(url: string, school: SchoolOverHttp, method: string, path: string, content?: object) {
  const { orgId, token } = school;
  const headers = {
    authorization: `Bearer ${token}`,
    traceparent: `00-${traceId}-${callerSpan}-00`,
    ...(content && { "content-type": "application/json" }),
  };
  const body = content && { body: JSON.stringify(content) };
  const response = await fetch(`${url}/orgs/${orgId}${path}`, { method, headers, ...body });
  await response.text();
  return response.status;
}

/** @param folder of its files, which exists; by default a new one, which may be in memory */
export async function playTheTraces(runtime: Runtime, folder?: string): Promise<void> {
  const collector = await newCollector();
  const place = folder ?? (await newFolder());
  await using receivers = await openReceivers(join(place, "authority.pem"));
  await using mails = await startMailServer();
  const smtp = { WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mails.port}` };
  const env = { WINDSOCK_DATA_DIR: join(place, "data"), ...smtp, ...receivers.env, ...exportingTo(collector) };
  const server = await startServer(env, runtime);
  const url = await urlOf(server);
  const school = await signUp(url, "olga@traces.example");
  const hook = { url: receivers.trusted.url, event_types: ["flight.approved"] };
  const endpoint = (await school.ask("POST", "/integrations/webhook-endpoints", hook)).body.data;
  const ping = `/integrations/webhook-endpoints/${endpoint.id}/ping`;
  expect(await traced(url, school, "POST", `${ping}`)).toBe(201);
  const { headers } = await receivers.trusted.take("webhook.test");
  const received = parseTraceparent(String(headers.traceparent));
  expect(received).toMatchObject({ traceId, isSampled: true });
  const invite = { email: "ines@traces.example", roles: ["student"] };
  expect(await traced(url, school, "POST", "/invites", invite)).toBe(201);
  await mails.mailTo(invite.email);

  const { code, stdout } = await stop(server);
  expect(code).toBe(0);
  // The queue waits for five seconds: the stop has exported it.
  const route = "/orgs/:orgId/integrations/webhook-endpoints/:endpointId/ping";
  await collector.has(`POST ${route}`, "deliver webhook.test", "POST /orgs/:orgId/invites", "send mail");
  const inTrace = (name: string) => collector.spans.find((span) => span.traceId === traceId && span.name === name);
  const [request, delivery] = [inTrace(`POST ${route}`), inTrace("deliver webhook.test")];
  const line = stdout
    .split("\n")
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text))
    .find((one) => one.route === route);
  expect(line).toMatchObject({ trace_id: traceId, span_id: request?.spanId });
  expect(request).toMatchObject({
    name: `POST ${route}`,
    kind: 2,
    parentSpanId: callerSpan,
    attributes: {
      "http.request.method": "POST",
      "http.route": route,
      "http.response.status_code": 201,
      "windsock.request_id": line.request_id,
      "windsock.organization_id": school.orgId,
    },
  });
  expect(delivery).toMatchObject({
    name: "deliver webhook.test",
    kind: 3,
    spanId: received?.spanId,
    parentSpanId: request?.spanId,
    attributes: { "http.response.status_code": 204, "windsock.endpoint_id": endpoint.id },
  });
  const inviting = inTrace("POST /orgs/:orgId/invites");
  expect(inTrace("send mail")).toMatchObject({ kind: 3, parentSpanId: inviting?.spanId, attributes: {} });
  expect(collector.resource).toMatchObject({ "service.name": "windsock", "deployment.environment.name": "test" });
  for (const { headers: sent } of collector.requests) expect(sent.authorization).toBe("Bearer collector-secret");
  for (const text of collector.received)
    for (const secret of [school.token, endpoint.secret, "olga", "ines", "127.0.0.1", "collector-secret"])
      expect(text).not.toContain(secret);
}
