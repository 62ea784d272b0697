/** `/docs`, the interactive reference, and the document behind it, at `/docs/json` and `/openapi.json`. */
import { Elysia } from "elysia";
import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { KeptBody } from "../core/kept-body.ts";
import { docsPage } from "./docs-page.ts";
import type { Http } from "./http.ts";
import { EncodedText, jsonText } from "./json-text.ts";
import { type OpenApiInfo, openApiDocument } from "./openapi.ts";
import { AnyQuery } from "./query.ts";
import { responses, textResponse } from "./responses.ts";

const Document = z
  .looseObject({ openapi: z.string().meta({ examples: ["3.1.0"] }) })
  .meta({ description: "An OpenAPI 3.1 document." });

/** Builds the document at the first request, from all routes, so the order of the plugins does not matter. */
export function docs({ withoutData, root }: Http, info?: OpenApiInfo) {
  const document = once(() => new KeptBody(JSON.stringify(openApiDocument(root.routes, info))));
  const page = once(() => docsPage("Windsock", "/docs/json"));

  return new Elysia({ name: "docs", tags: ["Operational"] })
    .use(withoutData)
    .get(
      "/docs",
      async ({ set }) => {
        const { html, contentSecurityPolicy } = await page();
        set.headers["content-security-policy"] = contentSecurityPolicy;
        return new EncodedText(html, "text/html;charset=utf-8");
      },
      {
        query: AnyQuery,
        response: responses({ 200: textResponse("text/html") }),
        detail: {
          summary: "API reference",
          description: "This document as an interactive page.",
          operationId: "getDocs",
        },
      },
    )
    .get("/docs/json", () => jsonText(document()), {
      query: AnyQuery,
      response: responses({ 200: Document }),
      detail: {
        summary: "OpenAPI document, for the reference page",
        description: "The same as `/openapi.json`.",
        operationId: "getDocsDocument",
      },
    })
    .get("/openapi.json", () => jsonText(document()), {
      query: AnyQuery,
      response: responses({ 200: Document }),
      detail: { summary: "OpenAPI document", description: "This document.", operationId: "getOpenApiDocument" },
    })
    .get(
      "/docs/assets/:file",
      async ({ params, set }) => {
        const asset = assets.get(params.file);
        if (!asset) throw notFound();
        const body = await asset.body();
        set.headers["cache-control"] = "public, max-age=3600";
        return new EncodedText(body, asset.type);
      },
      { query: AnyQuery, detail: { hide: true } },
    );
}

/** Imported as text at the first request: 1.5 MB, which most runs do not need. A compiled binary contains them. */
const assets: ReadonlyMap<string, { type: string; body(): Promise<KeptBody> }> = new Map([
  [
    "swagger-ui-bundle.js",
    {
      type: "text/javascript;charset=utf-8",
      body: once(async () => {
        const { default: text } = await import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } });
        return new KeptBody(text);
      }),
    },
  ],
  [
    "swagger-ui.css",
    {
      type: "text/css;charset=utf-8",
      body: once(async () => {
        const { default: text } = await import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } });
        return new KeptBody(text);
      }),
    },
  ],
]);

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
