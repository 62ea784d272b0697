/** The settings of TLS from the variables, and what they can't be together. */
import { isIP } from "node:net";
import { isLocal } from "../core/secure-origin.ts";
import type { TlsSettings } from "./settings.ts";

interface Variables {
  WINDSOCK_PUBLIC_URL?: string | undefined;
  WINDSOCK_TLS: "off" | "auto";
  WINDSOCK_TLS_CERT?: string | undefined;
  WINDSOCK_TLS_KEY?: string | undefined;
  WINDSOCK_HTTP_PORT?: number | undefined;
  WINDSOCK_ACME_DIRECTORY: string;
  WINDSOCK_ACME_EMAIL?: string | undefined;
  WINDSOCK_ACME_CA?: string | undefined;
}

export function tlsProblems(variables: Variables): string[] {
  const { WINDSOCK_TLS: tls, WINDSOCK_TLS_CERT: cert, WINDSOCK_TLS_KEY: key, WINDSOCK_PUBLIC_URL: url } = variables;
  const isAuto = tls === "auto";
  if (isAuto && (cert !== undefined || key !== undefined))
    return ["WINDSOCK_TLS=auto obtains a certificate, so WINDSOCK_TLS_CERT and WINDSOCK_TLS_KEY can't be set, too."];
  if ((cert === undefined) !== (key === undefined))
    return ["WINDSOCK_TLS_CERT and WINDSOCK_TLS_KEY are set together, or neither."];
  const isSecure = isAuto || cert !== undefined;
  if (!isSecure)
    return variables.WINDSOCK_HTTP_PORT === undefined
      ? []
      : [
          "WINDSOCK_HTTP_PORT redirects to HTTPS, which needs WINDSOCK_TLS=auto, or WINDSOCK_TLS_CERT and WINDSOCK_TLS_KEY.",
        ];
  if (url === undefined || !url.startsWith("https:"))
    return [
      "WINDSOCK_PUBLIC_URL must be the https address of this server. Example: WINDSOCK_PUBLIC_URL=https://ops.example.com",
    ];
  if (isAuto && !isPublicName(url))
    return [`WINDSOCK_TLS=auto needs a name of the DNS in WINDSOCK_PUBLIC_URL, and ${new URL(url).hostname} is none.`];
  return [];
}

const isPublicName = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname.includes(".") && isIP(hostname) === 0 && !isLocal(url);
};

/** @param variables without problems */
export function tlsSettings(variables: Variables): TlsSettings | undefined {
  const { WINDSOCK_TLS_CERT: cert, WINDSOCK_TLS_KEY: key, WINDSOCK_HTTP_PORT: httpPort } = variables;
  if (variables.WINDSOCK_TLS === "auto")
    return {
      kind: "acme",
      domain: new URL(variables.WINDSOCK_PUBLIC_URL ?? "").hostname,
      directory: variables.WINDSOCK_ACME_DIRECTORY,
      email: variables.WINDSOCK_ACME_EMAIL,
      ca: variables.WINDSOCK_ACME_CA,
      httpPort: httpPort ?? 80,
    };
  return cert === undefined || key === undefined ? undefined : { kind: "files", cert, key, httpPort };
}
