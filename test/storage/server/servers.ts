/** Installations whose databases are on a libSQL server. */
import type { StoreSettings } from "../../../src/storage/server/store-settings.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newSqld, type Sqld } from "../../support/sqld.ts";
import { newDirectory } from "../temporary.ts";
import { Cable } from "./cable.ts";

export const secret = "a secret of these tests, which is long enough";

let count = 0;

/** Returns a server for one test. */
export async function newServer(options: Parameters<typeof newSqld>[0] = {}): Promise<Sqld> {
  const sqld = await newSqld(options);
  afterThisTest(sqld.close);
  return sqld;
}

/** Returns a cable to a server, and the settings of namespaces at its other end. @param prefix of their names */
export async function cableTo(sqld: Sqld, prefix = ""): Promise<{ cable: Cable; settings: StoreSettings }> {
  const settings = sqld.settings(prefix);
  const { port } = new URL(settings.url.replace("{namespace}", "any"));
  const cable = await Cable.to(Number(port));
  afterThisTest(async () => cable.close());
  return { cable, settings: { ...settings, url: settings.url.replace(`:${port}`, `:${cable.port}`) } };
}

/** Returns the variables of an installation with a data directory of its own. */
export async function variablesFor(sqld: Sqld, prefix: string): Promise<Record<string, string>> {
  const { url, adminUrl, tokenKey } = sqld.settings(prefix);
  return {
    WINDSOCK_STORE: "server",
    WINDSOCK_STORE_URL: url,
    WINDSOCK_STORE_ADMIN_URL: adminUrl,
    WINDSOCK_SECRET_KEY: secret,
    ...(tokenKey !== undefined && { WINDSOCK_STORE_TOKEN_KEY: tokenKey }),
  };
}

type Options = Parameters<typeof newInstallation>[0];

/** Opens an installation on the server. @param prefix that of an installation that was there before */
export async function installationOn(
  sqld: Sqld,
  { prefix = `test${count++}-`, ...options }: Options & { prefix?: string } = {},
): Promise<Installation & { prefix: string }> {
  const installation = await newInstallation({
    ...options,
    directory: await newDirectory(),
    env: { ...(await variablesFor(sqld, prefix)), ...options.env },
  });
  return Object.assign(installation, { prefix });
}
