/**
 * How long `/docs` takes on a slow computer, beside Swagger UI and Scalar with the same document: Chromium with its processor
 * slowed down four times and nothing in its cache, from the start of the navigation until the first operation is in sight,
 * and until no task is longer than 50 ms any more. For Swagger UI also with all tags closed, until the first tag.
 *
 *   bun scripts/bench/docs.ts [rounds=5] [slow-down=4]
 *
 * Needs Debian's Chromium. Swagger UI and Scalar are installed from npm into a temporary folder.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import { executablePath } from "../../test/console/browser.ts";
import { printTable, quantile } from "./post-office.ts";
import { freePort, startServer } from "./server.ts";

const [rounds, slowDown] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 4)];
/** Quiet for this long, a page is taken for ready. */
const QUIET = 3000;
const LONGEST = 120_000;

const scratch = await mkdtemp(join(tmpdir(), "windsock-docs-"));
const versions = ["swagger-ui-dist@5.35.0", "@scalar/api-reference@1.72.1"];
await Bun.write(join(scratch, "package.json"), "{}");
const install = [process.execPath, "add", "--ignore-scripts", "--silent", ...versions];
if ((await Bun.spawn(install, { cwd: scratch }).exited) !== 0) throw new Error("The others could not be installed.");

const port = freePort();
const own = `http://127.0.0.1:${port}`;
const windsock = await startServer(port, join(scratch, "data"));
const document = await (await fetch(`${own}/openapi.json`)).text();

interface Other {
  name: string;
  script: string;
  style?: string;
  start: string;
  shown: string;
}

const swagger = { script: "swagger-ui-dist/swagger-ui-bundle.js", style: "swagger-ui-dist/swagger-ui.css" };
const swaggerWith = (options: string) =>
  `SwaggerUIBundle({ dom_id: "#app", url: "/document", filter: true, deepLinking: true, validatorUrl: null, ${options} })`;
const others: Other[] = [
  { name: "Swagger UI, tags closed", ...swagger, start: swaggerWith('docExpansion: "none"'), shown: ".opblock-tag" },
  { name: "Swagger UI, tags open", ...swagger, start: swaggerWith('docExpansion: "list"'), shown: ".opblock" },
  {
    name: "Scalar",
    script: "@scalar/api-reference/dist/browser/standalone.js",
    start:
      'Scalar.createApiReference("#app", { url: "/document", withDefaultFonts: false, telemetry: false, agent: { disabled: true }, showDeveloperTools: "never" })',
    shown: ".section, [id^='tag/']",
  },
];

const compressed = (content: string | Uint8Array, type: string) =>
  new Response(gzipSync(content), { headers: { "content-type": type, "content-encoding": "gzip" } });
const packaged = (file: string) => Bun.file(join(scratch, "node_modules", file)).bytes();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
    const other = others.find(({ name }) => name === path);
    if (path === "document") return compressed(document, "application/json");
    if (path.endsWith(".js")) return compressed(await packaged(path), "text/javascript");
    if (path.endsWith(".css")) return compressed(await packaged(path), "text/css");
    if (!other) return new Response(null, { status: 404 });
    const style = other.style ? `<link rel="stylesheet" href="/${other.style}">` : "";
    const page = `<!doctype html><meta charset="utf-8">${style}<div id="app"></div><script src="/${other.script}"></script><script>${other.start}</script>`;
    return compressed(page, "text/html;charset=utf-8");
  },
});

/** Notes in the page when the first element of a selector was in sight, and when the last long task ended. */
const probe = (selector: string) => `{
  window.last = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.last = Math.max(window.last, startTime + duration);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
    if (box && box.height > 0 && box.top < innerHeight) window.first = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

if (executablePath === null) throw new Error("There is no Chromium.");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

/** Returns the value of an expression in the page once it is not false. The policy of `/docs` forbids Playwright's own way to wait. */
async function until(page: Page, expression: string): Promise<number> {
  for (const end = performance.now() + LONGEST; performance.now() < end; await Bun.sleep(20)) {
    const value = await page.evaluate<number | undefined>(expression);
    if (value) return value;
  }
  throw new Error(`Not in time: ${expression}`);
}

async function measure(url: string, shown: string): Promise<{ first: number; ready: number; bytes: number }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const tools = await page.context().newCDPSession(page);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
    await page.addInitScript(probe(shown));
    await page.goto(url, { waitUntil: "domcontentloaded", timeout: LONGEST });
    const first = await until(page, "window.first");
    await until(page, `performance.now() - Math.max(window.last, window.first) > ${QUIET}`);
    const ready = Math.max(first, await page.evaluate<number>("window.last"));
    const sizes = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]";
    const bytes = await page.evaluate<number>(`${sizes}.reduce((sum, { transferSize }) => sum + transferSize, 0)`);
    return { first, ready, bytes };
  } finally {
    await page.close();
  }
}

const candidates = [
  { name: "Windsock", url: `${own}/docs`, shown: ".operation" },
  ...others.map(({ name, shown }) => ({ name, shown, url: `${server.url}${encodeURIComponent(name)}` })),
];
try {
  printTable(["", "first operation, ms (median)", "slowest", "ready, ms (median)", "kB sent"], []);
  for (const { name, url, shown } of candidates) {
    const runs: { first: number; ready: number; bytes: number }[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await measure(url, shown));
    const at = (pick: (run: (typeof runs)[number]) => number, share: number) =>
      Math.round(quantile(runs.map(pick), share));
    const figures = [at(({ first }) => first, 0.5), at(({ first }) => first, 1), at(({ ready }) => ready, 0.5)];
    console.log(`| ${[name, ...figures, Math.round(at(({ bytes }) => bytes, 0.5) / 1000)].join(" | ")} |`);
  }
  console.log(
    `\n${(document.length / 1e6).toFixed(2)} MB of document; load average ${(await Bun.file("/proc/loadavg").text()).split(" ")[0]}`,
  );
} finally {
  await browser.close();
  await server.stop(true);
  await windsock.stop();
  await rm(scratch, { recursive: true });
}
