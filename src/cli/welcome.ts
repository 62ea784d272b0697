import type { Config } from "../config.ts";
import { originWarning } from "../core/secure-origin.ts";
import type { Server } from "../server.ts";
import { validityOf } from "../tls/validity.ts";

/** Returns the first steps for a new operator, for the terminal. */
export async function welcome(
  { url, isEmpty }: Pick<Server, "url" | "isEmpty">,
  config: Pick<Config, "dataDir" | "publicUrl" | "host" | "disabled" | "tls">,
): Promise<string> {
  const { dataDir, disabled } = config;
  const hasConsole = !disabled.has("console");
  const warning = originWarning(config);
  const lines = [
    "",
    `  Windsock ${(await waitsForCertificate(config)) ? `will serve at ${url} as soon as it has a certificate, see the log` : `is serving at ${url}`}`,
    ...(hasConsole ? [`  Console         ${url}/`] : []),
    `  API reference   ${url}/docs`,
    `  Data            ${dataDir}   (stop with Ctrl-C; then copying this folder is a backup)`,
    "",
    ...(warning === undefined ? [] : [`  ${warning}`, ""]),
  ];
  if (await isEmpty()) {
    lines.push(
      hasConsole
        ? "  This installation has no school yet. Open the console in a browser and sign it up, or do so here:"
        : "  This installation has no school yet. Sign one up:",
      "",
      `  curl ${url}/auth/signup-org -H 'Content-Type: application/json' -d '{`,
      `    "email": "you@example.com", "password": "at least twelve characters", "name": "Your Name",`,
      `    "organization": {"name": "Your Flight School", "kind": "ato"}}'`,
      "",
      "  The response has an access token; the tour in the README of Windsock's sources goes on from there.",
      "",
    );
  }
  return lines.join("\n");
}

/** Without a certificate yet, HTTPS is not served. */
const waitsForCertificate = async ({ tls, dataDir }: Pick<Config, "tls" | "dataDir">): Promise<boolean> =>
  tls?.kind === "acme" && !(await validityOf({ tls, dataDir }).catch(() => null));
