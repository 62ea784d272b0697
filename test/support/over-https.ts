/** Asks a server on this machine as if the name of its certificate were in the DNS. */

import { X509Certificate } from "node:crypto";
import type { Agent } from "node:https";
import { request } from "node:https";
import type { TLSSocket } from "node:tls";

interface Asked {
  port: number;
  servername: string;
  /** PEM of the authority that must have signed the certificate. */
  ca: string;
  /** In the header; by default the name. */
  host?: string;
  path?: string;
  method?: string;
  body?: string;
  /** By default, each request has its own connection. */
  agent?: Agent | false;
}

export interface Got {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  protocol: string | null;
  certificate: X509Certificate;
}

export const overHttps = ({
  port,
  servername,
  ca,
  host = servername,
  path = "/",
  method = "GET",
  body,
  agent = false,
}: Asked): Promise<Got> =>
  new Promise((resolve, reject) => {
    const headers = { host, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }) };
    const req = request({ host: "127.0.0.1", port, servername, ca, path, method, agent, headers }, (response) => {
      const socket = response.socket as TLSSocket;
      const protocol = socket.getProtocol();
      const certificate = new X509Certificate(socket.getPeerCertificate().raw);
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text, protocol, certificate }),
      );
    });
    req.on("error", reject);
    req.end(body);
  });
