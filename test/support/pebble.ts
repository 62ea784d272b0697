/** Pebble, the test authority of Let's Encrypt, with a DNS in which all names are this machine. Both are in Debian's package `pebble`. */
import { Resolver } from "node:dns/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { selfSigned } from "../../src/demo/certificate.ts";

export const hasPebble = Bun.which("pebble") !== null && Bun.which("pebble-challtestsrv") !== null;

export interface Pebble extends AsyncDisposable {
  /** The address of the authority. */
  directory: string;
  /** PEM file of the authority that signed the certificate of that address. */
  ca: string;
  /** The port to which it sends its challenges. */
  httpPort: number;
  /** PEM of the root of the certificates that it issues. */
  root(): Promise<string>;
}

export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer().listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}

/** @param env see the README of Pebble */
export async function startPebble(env: Record<string, string> = {}): Promise<Pebble> {
  // Not in memory: Deno rejects files in /dev.
  const folder = await mkdtemp("/tmp/windsock-pebble-");
  const at = (name: string) => join(folder, name);
  const [port, management, httpPort, tlsPort, dns, names] = await Promise.all([1, 2, 3, 4, 5, 6].map(freePort));
  const { cert, key } = selfSigned(new Date());
  await writeFile(at("cert.pem"), cert);
  await writeFile(at("key.pem"), key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at("cert.pem"),
    privateKey: at("key.pem"),
    ...{ httpPort, tlsPort, ocspResponderURL: "", externalAccountBindingRequired: false },
  };
  await writeFile(at("config.json"), JSON.stringify({ pebble }));
  const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-management", `127.0.0.1:${names}`];
  const options = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const processes = [
    Bun.spawn(["pebble-challtestsrv", ...none, "-dns01", `127.0.0.1:${dns}`, "-defaultIPv6", ""], options),
    Bun.spawn(["pebble", "-config", at("config.json"), "-dnsserver", `127.0.0.1:${dns}`], {
      ...options,
      env: { ...process.env, PEBBLE_VA_NOSLEEP: "1", ...env },
    }),
  ];
  const root = () => get(`https://127.0.0.1:${management}/roots/0`, cert);
  const resolver = new Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([`127.0.0.1:${dns}`]);
  const haveStarted = () => Promise.all([root(), resolver.resolve4("ops.example.com")]).catch(() => undefined);
  while (!(await haveStarted())) await Bun.sleep(20);
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    ca: at("cert.pem"),
    httpPort: httpPort ?? 0,
    root,
    async [Symbol.asyncDispose]() {
      for (const one of processes) one.kill("SIGKILL");
      await Promise.all(processes.map(({ exited }) => exited));
      await rm(folder, { recursive: true });
    },
  };
}

const get = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });
