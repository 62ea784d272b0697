/**
 * The reference page of `@elysiajs/swagger`, with the script and style of this server instead of unpkg.com: a school may be
 * offline, and a foreign script could read the token that a user enters under "Authorize".
 */
import { createHash } from "node:crypto";
import { swagger } from "@elysiajs/swagger";

export const DOCS_SCRIPT = "/docs/assets/swagger-ui-bundle.js";
export const DOCS_STYLE = "/docs/assets/swagger-ui.css";

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** @param specUrl the address of the OpenAPI document */
export async function docsPage(title: string, specUrl: string): Promise<DocsPage> {
  const plugin = swagger({
    path: "/docs",
    provider: "swagger-ui",
    // Only the plugin's page is used. It can't make the document, because it does not read zod.
    exclude: [/.*/],
    documentation: { info: { title, version: "1.0", description: "API reference" } },
    theme: DOCS_STYLE,
    // Dark mode inverts the colours, and so the meaning of red and green.
    autoDarkMode: false,
    // With a `validatorUrl`, swagger-ui sends the document's address to its vendor's server.
    swaggerOptions: { url: specUrl, validatorUrl: null, deepLinking: true } as object,
  });
  const original = await (await plugin.handle(new Request("http://localhost/docs"))).text();
  const html = original.replace(/<script src="https:[^"]*" crossorigin>/, `<script src="${DOCS_SCRIPT}">`);
  if (/(src|href)="(https?:)?\/\//.test(html)) throw new Error("The reference page names another host.");
  return { html, contentSecurityPolicy: policyFor(html) };
}

/** Allows this server's files and the page's inline script, by hash. Other origins are blocked. */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${sha256(code ?? "")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    // swagger-ui adds `style` attributes, which a hash can't allow.
    "style-src 'self' 'unsafe-inline'",
    // Its icons are data: images.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");
