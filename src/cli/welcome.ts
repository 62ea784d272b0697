import type { Config } from "../config.ts";
import type { Server } from "../server.ts";
import { validityOf } from "../tls/validity.ts";

/** Returns the first steps for a new operator, for the terminal. */
export async function welcome(
  { url, isEmpty }: Pick<Server, "url" | "isEmpty">,
  config: Pick<Config, "dataDir" | "disabled" | "tls" | "signUp">,
  { warning }: { warning: string | undefined },
): Promise<string> {
  const { dataDir, disabled, signUp } = config;
  const hasConsole = !disabled.has("console");
  const lines = [
    "",
    `  Windsock ${(await waitsForCertificate(config)) ? `will serve at ${url} as soon as it has a certificate, see the log` : `is serving at ${url}`}`,
    ...(hasConsole ? [`  Console         ${url}/`] : []),
    `  API reference   ${url}/docs`,
    `  Data            ${dataDir}   (stop with Ctrl-C; then copying this folder is a backup)`,
    "",
    ...(warning === undefined ? [] : [`  ${warning}`, ""]),
  ];
  const isNew = await isEmpty();
  if (isNew && signUp === "closed")
    lines.push(
      "  This installation has no school yet, and nobody may sign one up (WINDSOCK_SIGN_UP). Make it:",
      "",
      '  windsock org create "Your Flight School" --owner you@example.com',
      "",
    );
  else if (isNew) {
    lines.push(
      hasConsole
        ? "  This installation has no school yet. Open the console in a browser and sign it up, or do so here:"
        : "  This installation has no school yet. Sign one up:",
      "",
      `  curl ${url}/auth/signup-org -H 'Content-Type: application/json' -d '{`,
      `    "email": "you@example.com", "password": "at least twelve characters", "name": "Your Name",`,
      `    "organization": {"name": "Your Flight School", "kind": "ato"}}'`,
      "",
      "  The response has an access token for the API. To run the server for others: windsock manual",
      "",
    );
  }
  return lines.join("\n");
}

/** Without a certificate yet, HTTPS is not served. */
const waitsForCertificate = async ({ tls, dataDir }: Pick<Config, "tls" | "dataDir">): Promise<boolean> =>
  tls?.kind === "acme" && !(await validityOf({ tls, dataDir }).catch(() => null));
