/** `/docs`, the interactive reference, and the document behind it, at `/docs/json` and `/openapi.json`. */
import { Elysia } from "elysia";
import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { KeptBody } from "../core/kept-body.ts";
import { once } from "../core/once.ts";
import { inTurns } from "../core/steps.ts";
import { docsAssets } from "./docs-assets.ts";
import { conditional } from "./etag.ts";
import type { Http } from "./http.ts";
import { EncodedText, jsonText } from "./json-text.ts";
import type { OpenApiInfo } from "./openapi-info.ts";
import { AnyQuery } from "./query.ts";
import { responses, tagged, textResponse } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

const document = () =>
  tagged(
    z
      .looseObject({ openapi: z.string().meta({ examples: ["3.1.0"] }) })
      .meta({ description: "An OpenAPI 3.1 document." }),
  );

/**
 * Builds page and document at the first request, from all routes, so the order of the plugins does not matter. What builds them is
 * loaded then.
 */
export function docs({ withoutData, root }: Http, info: OpenApiInfo = {}): RoutePlugin {
  const builtDocument = once(async () => {
    const { documentSteps } = await import("./openapi.ts");
    return new KeptBody(JSON.stringify(await inTurns(documentSteps(root.routes, info))));
  });
  const assets = once(docsAssets);
  const page = once(async () => {
    const [{ topicsOf }, { docsPage, docsPolicy }] = await Promise.all([
      import("./docs-index.ts"),
      import("./docs-page.ts"),
    ]);
    return { body: new KeptBody(docsPage(topicsOf(root.routes, info), await assets())), policy: docsPolicy };
  });

  const files = new Elysia({ name: "docs.files" }).use(withoutData).get(
    "/docs/assets/:version/:file",
    async ({ params, set }) => {
      const { version, files } = await assets();
      const file = params.version === version ? files.get(params.file) : undefined;
      if (!file) throw notFound();
      // The version is the hash of all files: what an address means never changes.
      set.headers["cache-control"] = "public, max-age=31536000, immutable";
      return new EncodedText(file.body, file.mediaType);
    },
    { query: AnyQuery, detail: { hide: true } },
  );

  return new Elysia({ name: "docs", tags: ["Operational"] })
    .use(files)
    .use(withoutData)
    .onAfterHandle(({ request, responseValue, set }) => conditional({ request, responseValue, set }))
    .get(
      "/docs",
      async ({ set }) => {
        const { body, policy } = await page();
        set.headers["content-security-policy"] = policy;
        return new EncodedText(body, "text/html;charset=utf-8");
      },
      {
        query: AnyQuery,
        response: responses({ 200: tagged(textResponse("text/html")) }),
        detail: {
          summary: "API reference",
          description:
            "This document as a page that finds and sends requests. `/docs#` with an `operationId` opens that operation.",
          operationId: "getDocs",
        },
      },
    )
    .get("/docs/json", async () => jsonText(await builtDocument()), {
      query: AnyQuery,
      response: responses({ 200: document() }),
      detail: {
        summary: "OpenAPI document, for the reference page",
        description: "The same as `/openapi.json`.",
        operationId: "getDocsDocument",
      },
    })
    .get("/openapi.json", async () => jsonText(await builtDocument()), {
      query: AnyQuery,
      response: responses({ 200: document() }),
      detail: { summary: "OpenAPI document", description: "This document.", operationId: "getOpenApiDocument" },
    });
}
