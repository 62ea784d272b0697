/** A collector of OpenTelemetry, which keeps the spans that it receives by OTLP as JSON. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../support/after-test.ts";
import { stretched } from "../support/limits.ts";

export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number>;
  status: { code?: number };
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** The attributes of the last sender. */
  resource: Record<string, string | number>;
  /** All that was received, as text. */
  received: string[];
  requests: IncomingMessage[];
  /** By default 200. */
  answer: (response: ServerResponse) => void;
  /** Resolves when spans with all these names have arrived. @throws they do not within 10 seconds */
  has(...names: string[]): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}

const attributesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );

export async function newCollector(): Promise<Collector> {
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    collector.requests.push(request);
    collector.received.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      collector.resource = attributesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        for (const span of spans) collector.spans.push({ ...span, attributes: attributesOf(span.attributes) });
    }
    for (const look of waiting) look();
    collector.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    resource: {},
    received: [],
    requests: [],
    answer: (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
    async has(...names) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () => {
        if (names.every((name) => collector.spans.some((span) => span.name === name))) resolve();
      };
      const arrived = () => JSON.stringify(collector.spans.map(({ name }) => name));
      const timer = setTimeout(() => reject(new Error(`Only ${arrived()} arrived.`)), stretched(10_000));
      waiting.add(look);
      look();
      await promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
    },
  };
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}
