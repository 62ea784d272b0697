/** Listens as the configuration says: HTTPS with its certificate, and the port of plain HTTP beside it. */
import type { Config } from "./config.ts";
import { messageOf } from "./core/system-error.ts";
import type { Log } from "./http/request-log.ts";
import type { ServeOptions } from "./runtime/listener.ts";
import { type Serving, serve } from "./runtime/serve.ts";
import { type ServingTls, serveTls } from "./runtime/serve-tls.ts";
import { acmeStore } from "./tls/acme-store.ts";
import { type Certificate, findCertificate, readCertificate, stateOf } from "./tls/certificate.ts";
import { httpPortResponses } from "./tls/http-port.ts";
import { certificatePaths, type TlsSettings } from "./tls/settings.ts";
import { watchCertificate } from "./tls/watch-certificate.ts";

interface HttpsOptions extends Pick<ServeOptions, "fetch" | "maxBody"> {
  config: Pick<Config, "host" | "port" | "dataDir" | "publicUrl">;
  tls: TlsSettings;
  log: Log;
  /** Milliseconds between two looks at the files of the certificate. */
  every?: number;
}

/** Without a certificate yet, only the port of plain HTTP is served, and HTTPS once there is one. */
export async function serveHttps({ config, tls, log, maxBody, fetch, every }: HttpsOptions): Promise<Serving> {
  const { host, port, dataDir, publicUrl } = config;
  const https = { host, port, maxBody, fetch };
  const paths = certificatePaths(tls, dataDir);
  const state = await stateOf(paths);
  const certificate = await certificateAtStart(tls, paths, log);
  let secure: ServingTls | undefined;
  const use = async (next: Certificate) => {
    if (secure) secure.use(next);
    else secure = await serveTls({ ...https, certificate: next });
  };
  const plain = await serveHttpPort();
  try {
    if (certificate) await use(certificate);
    else {
      // It has to be free later.
      await (await serve({ ...https, fetch: () => new Response(null, { status: 503 }) })).stop(0);
      log.warn(
        { public_url: publicUrl },
        "There is no certificate yet. HTTPS is served when the authority has issued one.",
      );
    }
  } catch (error) {
    await plain?.stop(0);
    throw error;
  }
  const watch = watchCertificate({ paths, state, use, log, ...(every !== undefined && { every }) });
  return {
    url: publicUrl,
    get port() {
      return secure?.port ?? port;
    },
    async stop(deadlineMs) {
      await watch.stop();
      await Promise.all([secure?.stop(deadlineMs), plain?.stop(deadlineMs)]);
    },
  };

  async function serveHttpPort(): Promise<Serving | undefined> {
    if (tls.httpPort === undefined) return undefined;
    const store = tls.kind === "acme" ? acmeStore(tls, dataDir) : undefined;
    const respond = httpPortResponses({
      isSecure: () => secure !== undefined,
      publicUrl,
      thumbprint: store && (async () => (await store.findAccountKey())?.thumbprint),
    });
    return serve({ host, port: tls.httpPort, variable: "WINDSOCK_HTTP_PORT", maxBody, fetch: respond });
  }
}

async function certificateAtStart(
  { kind }: TlsSettings,
  paths: Parameters<typeof findCertificate>[0],
  log: Log,
): Promise<Certificate | undefined> {
  try {
    return await (kind === "files" ? readCertificate(paths) : findCertificate(paths));
  } catch (cause) {
    const message = messageOf(cause);
    if (kind === "files") throw new Error(`HTTPS can't be served: ${message}`, { cause });
    log.warn({ err: cause }, `The stored certificate can't be used. Another one is obtained. ${message}`);
    return undefined;
  }
}
