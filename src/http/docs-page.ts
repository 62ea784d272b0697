/**
 * The reference page of `@elysiajs/swagger`, with script and style from here instead of unpkg.com: a school may be
 * offline, and a script from elsewhere could read what an operator types into "Authorize".
 */
import { createHash } from "node:crypto";
import { swagger } from "@elysiajs/swagger";

export const DOCS_SCRIPT = "/docs/assets/swagger-ui-bundle.js";
export const DOCS_STYLE = "/docs/assets/swagger-ui.css";

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** @param specUrl where the page finds the OpenAPI document */
export async function docsPage(title: string, specUrl: string): Promise<DocsPage> {
  const plugin = swagger({
    path: "/docs",
    provider: "swagger-ui",
    // The plugin does not read zod: the document is ours, and this route only borrows the page.
    exclude: [/.*/],
    documentation: { info: { title, version: "1.0", description: "API reference" } },
    theme: DOCS_STYLE,
    // Dark by inverting colours, which also inverts the meaning of red and green.
    autoDarkMode: false,
    // `validatorUrl` would have swagger-ui ask its makers' server about the document.
    swaggerOptions: { url: specUrl, validatorUrl: null, deepLinking: true } as object,
  });
  const original = await (await plugin.handle(new Request("http://localhost/docs"))).text();
  const html = original.replace(/<script src="https:[^"]*" crossorigin>/, `<script src="${DOCS_SCRIPT}">`);
  if (/(src|href)="(https?:)?\/\//.test(html)) throw new Error("The reference page names another host.");
  return { html, contentSecurityPolicy: policyFor(html) };
}

/** Allows the page its own files and its one inline script, by hash; nothing may go to, or come from, anywhere else. */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${sha256(code ?? "")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    // swagger-ui puts `style` attributes into the page, which no hash can allow.
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
