import type { Config } from "./config.ts";
import type { Log } from "./http/request-log.ts";
import type { ServeOptions } from "./runtime/listener.ts";
import { type Serving, serve } from "./runtime/serve.ts";

interface ListenOptions extends Pick<ServeOptions, "fetch" | "maxBody"> {
  config: Pick<Config, "host" | "port" | "dataDir" | "publicUrl" | "tls">;
  log: Log;
}

/** Listens for HTTP, or for HTTPS, whose parts are loaded only then. */
export async function listenAsConfigured({ config, log, fetch, maxBody }: ListenOptions): Promise<Serving> {
  const { host, port, tls } = config;
  if (tls === undefined) return serve({ host, port, fetch, maxBody });
  return (await import("./serve-https.ts")).serveHttps({ config, tls, log, fetch, maxBody });
}
