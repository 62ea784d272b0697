/** `windsock listen`: a webhook receiver on this machine, which verifies and prints what arrives. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Certificate, selfSigned } from "../demo/certificate.ts";
import { type Delivery, startReceiver } from "../demo/receiver.ts";
import { onStopSignal } from "../runtime/signals.ts";
import { privateDirectory } from "../storage/private-files.ts";
import { command } from "./strict-command.ts";

export const listen = command(
  { name: "listen", description: "Receive, verify and print webhooks on this machine" },
  {
    args: {
      port: { type: "string", description: "The port (default 8443)", valueHint: "number" },
      dir: {
        type: "string",
        description: "The directory of certificate and secret (default listen)",
        valueHint: "path",
      },
    },
    run: ({ port = "8443", dir = "listen" }) => listenHere(portOf(port), dir),
  },
);

async function listenHere(port: number, dir: string): Promise<void> {
  const stopSignal = new Promise<string>(onStopSignal);
  await privateDirectory(dir);
  const certificate = await certificateIn(dir, new Date());
  const secretPath = join(dir, "secret");
  const receiver = await startReceiver({
    certificate,
    port,
    secrets: () => secretsIn(secretPath),
    onRejected: () => print(rejection(secretPath)),
  });
  receiver.onDelivery((delivery) => print(deliveryText(delivery)));
  print(`
  Listening at ${receiver.url}   (stop with Ctrl-C)

  Start Windsock so that it sends to this address:
    WINDSOCK_WEBHOOK_ALLOW=127.0.0.1/32 WINDSOCK_WEBHOOK_CA=${join(dir, "certificate.pem")}
  Then create a webhook endpoint with this address, and write its signing secret to ${secretPath}
`);
  await stopSignal;
  receiver.close();
  process.exit();
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error("--port: Must be a port number.");
  return port;
}

/** Returns the certificate in the directory. Creates one there if it has none, or one that has expired. */
async function certificateIn(dir: string, now: Date): Promise<Certificate> {
  const [keyPath, certPath] = [join(dir, "key.pem"), join(dir, "certificate.pem")];
  const [key, cert] = await Promise.all([keyPath, certPath].map((path) => readFile(path, "utf8").catch(() => "")));
  if (key && cert && now.getTime() < Date.parse(new X509Certificate(cert).validTo)) return { key, cert };
  const created = selfSigned(now);
  await writeFile(keyPath, created.key, { mode: 0o600 });
  await writeFile(certPath, created.cert);
  return created;
}

/** Returns the secrets in the file, one a line. It is read at each delivery, since the endpoint may be created later. */
function secretsIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

const rejection = (secretPath: string): string =>
  secretsIn(secretPath).length === 0
    ? `✗ Rejected with 401: ${secretPath} has no signing secret yet. Windsock retries after 1, 5, 25 and 125 seconds.\n`
    : `✗ Rejected with 401: no secret in ${secretPath} made its signatures.\n`;

const deliveryText = ({ id, event }: Delivery): string =>
  `✓ ${event.type}, ${event.id}: delivery ${id}, verified\n${JSON.stringify(event, null, 2)}\n`;
