/** Drives Debian's Chromium over the DevTools protocol: what a user of a page sees and does, without a library or a download. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const chromium = Bun.which("chromium");

export interface Browser {
  /** Opens a tab without cookies, storage and cache of others. */
  newPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

interface PageOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** How many times slower the page's processor is. */
  slowDown?: number;
  /** Run in each document before its own scripts. */
  before?: string;
}

export interface Page {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Returns the value of an expression in the page. A promise is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Returns when an expression is true in the page, and its value. @throws it is not in time: within ten seconds */
  until<T>(expression: string, milliseconds?: number): Promise<T>;
  /** Types into the element with the focus. */
  type(text: string): Promise<void>;
  /** Presses a key by its name, for example `Enter`. */
  press(key: string): Promise<void>;
  /** Clicks in the middle of an element, where a user sees it. */
  click(selector: string): Promise<void>;
  screenshot(file: string, options?: { whole?: boolean }): Promise<void>;
  /** Console messages, violations of the policy and exceptions. */
  readonly faults: string[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol's messages have every shape
type Message = any;

/** @throws there is no Chromium, or it does not start within 20 seconds */
export async function openBrowser(): Promise<Browser> {
  if (chromium === null) throw new Error("There is no Chromium. Debian's package is `chromium`.");
  const profile = await mkdtemp(join(tmpdir(), "windsock-chromium-"));
  const process = Bun.spawn(
    [
      chromium,
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
      ...["--no-first-run", "--disable-background-networking", "--disable-component-update", "--mute-audio"],
      ...["--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  const connection = await connect(await addressIn(process.stderr));
  return {
    async newPage(options = {}) {
      const { browserContextId } = await connection.send("Target.createBrowserContext");
      const { targetId } = await connection.send("Target.createTarget", { url: "about:blank", browserContextId });
      const { sessionId } = await connection.send("Target.attachToTarget", { targetId, flatten: true });
      const close = () => connection.send("Target.disposeBrowserContext", { browserContextId });
      return openPage(connection, sessionId, close, options);
    },
    async close() {
      await connection.send("Browser.close").catch(() => undefined);
      await process.exited;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Reads the log until Chromium says where it listens, and the rest, so that it does not block. */
async function addressIn(log: ReadableStream<Uint8Array>): Promise<string> {
  const found = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    for await (const part of log) {
      text += Buffer.from(part).toString();
      const [, address] = /DevTools listening on (ws:\S+)\n/.exec(text) ?? [];
      if (address !== undefined) found.resolve(address);
    }
    found.reject(new Error(`Chromium did not start:\n${text}`));
  })();
  return found.promise;
}

interface Connection {
  send(method: string, params?: object, sessionId?: string): Promise<Message>;
  on(sessionId: string, listen: (method: string, params: Message) => void): void;
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("Chromium took no connection.")), { once: true });
  });
  const waiting = new Map<number, PromiseWithResolvers<Message>>();
  const listeners = new Map<string, (method: string, params: Message) => void>();
  let count = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data));
    if (id === undefined) return listeners.get(sessionId)?.(method, params);
    if (error) waiting.get(id)?.reject(new Error(`${error.message} ${error.data ?? ""}`));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Chromium closed the connection."));
  });
  return {
    send(method, params = {}, sessionId) {
      const answer = Promise.withResolvers<Message>();
      count += 1;
      waiting.set(count, answer);
      socket.send(JSON.stringify({ id: count, method, params, ...(sessionId !== undefined && { sessionId }) }));
      return answer.promise;
    },
    on: (sessionId, listen) => void listeners.set(sessionId, listen),
  };
}

async function openPage(
  connection: Connection,
  sessionId: string,
  close: () => Promise<void>,
  { width = 1280, height = 800, dark = false, slowDown = 1, before }: PageOptions,
): Promise<Page> {
  const send = (method: string, params?: object) => connection.send(method, params, sessionId);
  const faults: string[] = [];
  let loaded = Promise.withResolvers<void>();
  connection.on(sessionId, (method, params) => {
    if (method === "Page.domContentEventFired") loaded.resolve();
    if (method === "Runtime.exceptionThrown") faults.push(params.exceptionDetails.exception?.description ?? "");
    if (method === "Log.entryAdded") faults.push(`${params.entry.text} ${params.entry.url ?? ""}`);
  });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`);
  const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
  await send("Emulation.setDeviceMetricsOverride", metrics);
  await send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
  });
  await send("Emulation.setCPUThrottlingRate", { rate: slowDown });
  if (before !== undefined) await send("Page.addScriptToEvaluateOnNewDocument", { source: before });

  async function evaluate<T>(expression: string): Promise<T> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await send("Runtime.evaluate", params);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  const page: Page = {
    faults,
    async goto(url) {
      loaded = Promise.withResolvers();
      const { errorText, loaderId } = await send("Page.navigate", { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      // Another fragment loads nothing.
      if (loaderId !== undefined) await loaded.promise;
    },
    async reload() {
      loaded = Promise.withResolvers();
      await send("Page.reload");
      await loaded.promise;
    },
    evaluate,
    until: (expression, milliseconds = 10_000) =>
      evaluate(`new Promise((resolve, reject) => {
        const end = performance.now() + ${milliseconds};
        const look = async () => {
          const value = await (${expression});
          if (value) return resolve(value);
          if (performance.now() > end) return reject(new Error(${JSON.stringify(`Not in time: ${expression}`)}));
          requestAnimationFrame(look);
        };
        look();
      })`),
    type: (text) => send("Input.insertText", { text }),
    async press(key) {
      const [text] = key === "Enter" ? ["\r"] : key.length === 1 ? [key] : [];
      const code = { Enter: 13, Escape: 27, Tab: 9 }[key] ?? 0;
      const event = { key, code: key, windowsVirtualKeyCode: code, ...(text !== undefined && { text }) };
      await send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    },
    async click(selector) {
      const at = await page.until<{ x: number; y: number }>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        if (!element?.checkVisibility()) return undefined;
        element.scrollIntoView({ block: "center", behavior: "instant" });
        const { left, top, width, height } = element.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      })()`);
      const button = { ...at, button: "left", clickCount: 1 };
      await send("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
      await send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
    },
    async screenshot(file, { whole = false } = {}) {
      const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: whole });
      await writeFile(file, Buffer.from(data, "base64"));
    },
    async close() {
      await close();
    },
  };
  return page;
}
