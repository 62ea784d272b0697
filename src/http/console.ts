/**
 * The console: one page at `/` and below `/app`, and its files. The page reads its address itself, so every address has the same
 * body. Nothing in it comes from another host: a school may be offline, and a foreign script could read what a user enters.
 */
import { Elysia } from "elysia";
import type { ConsoleBundle } from "../core/console-bundle.ts";
import { notFound } from "../core/errors.ts";
import { KeptBody } from "../core/kept-body.ts";
import { conditional } from "./etag.ts";
import type { Http } from "./http.ts";
import { EncodedText } from "./json-text.ts";
import { AnyQuery } from "./query.ts";
import type { RoutePlugin } from "./route.ts";

/** Allows the console's files and requests to this server, and files that were fetched, as `blob:`. No markup is made from text. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

interface Kept {
  page: KeptBody;
  files: ReadonlyMap<string, { body: KeptBody; mediaType: string }>;
}

/** @param bundle returns the latest bundle, which may change while the program runs from its sources */
export function consolePages({ withoutData }: Http, bundle: () => Promise<ConsoleBundle>): RoutePlugin {
  const known = new WeakMap<ConsoleBundle, Kept>();
  const latest = async (): Promise<Kept> => {
    const made = await bundle();
    const kept = known.get(made) ?? keptOf(made);
    known.set(made, kept);
    return kept;
  };
  const shell = async ({ set }: { set: { headers: Record<string, string | number> } }) => {
    set.headers["content-security-policy"] = consolePolicy;
    return new EncodedText((await latest()).page, "text/html;charset=utf-8");
  };
  const hidden = { query: AnyQuery, detail: { hide: true } } as const;
  const shells = new Elysia({ name: "console.pages" })
    .use(withoutData)
    .onAfterHandle(({ request, responseValue, set }) => conditional({ request, responseValue, set }))
    .get("/", shell, hidden)
    .get("/app", shell, hidden)
    .get("/app/*", shell, hidden);
  return new Elysia({ name: "console" })
    .use(shells)
    .use(withoutData)
    .get(
      "/assets/:file",
      async ({ params, set }) => {
        const file = (await latest()).files.get(params.file);
        if (!file) throw notFound();
        // The name contains the hash of the file: what an address means never changes.
        set.headers["cache-control"] = "public, max-age=31536000, immutable";
        return new EncodedText(file.body, file.mediaType);
      },
      hidden,
    );
}

const mediaTypes: Readonly<Record<string, string>> = {
  js: "text/javascript;charset=utf-8",
  css: "text/css;charset=utf-8",
  svg: "image/svg+xml",
};

const keptOf = (bundle: ConsoleBundle): Kept => ({
  page: new KeptBody(pageWith(bundle)),
  files: new Map(
    Object.entries(bundle.files).map(([name, text]) => {
      const mediaType = mediaTypes[name.split(".").at(-1) ?? ""] ?? "text/plain;charset=utf-8";
      return [name, { body: new KeptBody(text), mediaType }];
    }),
  ),
});

const pageWith = ({ script, style, icon, preloads }: ConsoleBundle): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131518">
<title>Windsock</title>
<link rel="icon" href="/assets/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${style}">
${preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join("\n")}
<script type="module" src="/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. Programs use the API: <a href="/docs">/docs</a>.</p></noscript>
</body>
</html>
`;
