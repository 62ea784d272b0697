import type { Config } from "../config.ts";
import type { Server } from "../server.ts";

/** What somebody who just started it wants to know; for a terminal, beside the log. */
export async function welcome({ url, isEmpty }: Server, { dataDir }: Config): Promise<string> {
  const lines = [
    "",
    `  Windsock is serving at ${url}`,
    `  API reference   ${url}/docs`,
    `  Data            ${dataDir}   (stop with Ctrl-C; then copying this folder is a backup)`,
    "",
  ];
  if (await isEmpty()) {
    lines.push(
      "  There is no school here yet. Sign one up:",
      "",
      `  curl ${url}/auth/signup-org -H 'Content-Type: application/json' -d '{`,
      `    "email": "you@example.com", "password": "at least twelve characters", "name": "Your Name",`,
      `    "organization": {"name": "Your Flight School", "kind": "ato"}}'`,
      "",
      "  The answer holds an access token; the README's tour goes on from there.",
      "",
    );
  }
  return lines.join("\n");
}
