/** What the benchmarks of the console share: a school on a server in a process of its own, and Debian's Chromium. */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { freePort, startServer } from "./server.ts";

const account = { email: "olga@bench.example", password: "correct horse battery", name: "Olga" };

interface InChromium {
  url: string;
  browser: Browser;
  /** Sends a request as the owner; a text is CSV. `path` is below the organization. @returns the answer's body @throws if it is an error */
  // biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Opens the console and signs the owner in. */
  signIn(page: Page): Promise<void>;
  /** Milliseconds of the processor that the pages took: another program beside them makes no difference. */
  rendererTime(): Promise<number>;
  close(): Promise<void>;
}

export async function openInChromium({ zone }: { zone: string }): Promise<InChromium> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer(port, directory, { WINDSOCK_WRITE_RATE: "999999", WINDSOCK_PUBLIC_URL: url });
  const browser = await chromium.launch({
    executablePath: Bun.which("chromium-headless-shell") ?? Bun.which("chromium") ?? "chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const inBrowser = await browser.newBrowserCDPSession();
  let token = "";
  const send = async (method: string, path: string, body?: unknown) => {
    const isText = typeof body === "string";
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": isText ? "text/csv" : "application/json" }),
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
    return answer;
  };
  const organization = { name: "Bench", kind: "ato", time_zone: zone, currency: "EUR" };
  const { data } = await send("POST", "/auth/signup-org", { ...account, organization });
  token = data.tokens.access_token;
  return {
    ...{ url, browser },
    call: (method, path, body) => send(method, `/orgs/${data.organization.id}${path}`, body),
    async signIn(page) {
      await page.goto(url);
      await page.locator("input[type=email]").fill(account.email);
      await page.locator("input[type=password]").fill(account.password);
      await page.keyboard.press("Enter");
      await page.locator(".shell h1").waitFor();
      console.log(`Load average: ${loadavg().map((load) => load.toFixed(1))}\n`);
    },
    async rendererTime() {
      const { processInfo } = await inBrowser.send("SystemInfo.getProcessInfo");
      const pages = processInfo.filter(({ type }) => type === "renderer");
      return 1000 * pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    },
    async close() {
      await browser.close();
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
}
