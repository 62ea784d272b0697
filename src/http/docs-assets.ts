/** The files of the reference page. They are imported at its first request, and the executable contains them. */
import { contentHash } from "../core/content-hash.ts";
import { KeptBody } from "../core/kept-body.ts";

export interface DocsAssets {
  /** The hash of all files. It is in their addresses, so that browsers may keep them. */
  version: string;
  files: ReadonlyMap<string, { body: KeptBody; mediaType: string }>;
}

/** Each import is written out, for the bundler. The first script is the one that the page starts with. */
const texts: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  "page.js": () => import("./docs/page.js", { with: { type: "text" } }),
  "elements.js": () => import("./docs/elements.js", { with: { type: "text" } }),
  "operation.js": () => import("./docs/operation.js", { with: { type: "text" } }),
  "request.js": () => import("./docs/request.js", { with: { type: "text" } }),
  "schema.js": () => import("./docs/schema.js", { with: { type: "text" } }),
  "session.js": () => import("./docs/session.js", { with: { type: "text" } }),
  "sign-in.js": () => import("./docs/sign-in.js", { with: { type: "text" } }),
  "style.css": () => import("./docs/style.css", { with: { type: "text" } }),
  "icon.svg": () => import("./docs/icon.svg", { with: { type: "text" } }),
};

const mediaTypes: Readonly<Record<string, string>> = {
  js: "text/javascript;charset=utf-8",
  css: "text/css;charset=utf-8",
  svg: "image/svg+xml",
};

export async function docsAssets(): Promise<DocsAssets> {
  const files = new Map<string, { body: KeptBody; mediaType: string }>();
  for (const [name, load] of Object.entries(texts)) {
    const { default: text } = await load();
    files.set(name, { body: new KeptBody(text), mediaType: mediaTypes[name.split(".").at(-1) ?? ""] ?? "text/plain" });
  }
  const version = contentHash([...files].map(([name, { body }]) => `${name} ${body.tag}`).join("\n"));
  return { version, files };
}
