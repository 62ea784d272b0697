/** Asks the public address of this server. From this machine: a router may answer differently from outside. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { seconds } from "../../../core/clock.ts";
import { type Finding, fault, fine } from "../../../core/finding.ts";
import type { TlsSettings } from "../../../tls/settings.ts";

const subject = "public address";

/**
 * @param tls the operator's own certificate, or that of a private authority, is not judged by whom this machine trusts: browsers
 *   may trust others. Its name, its dates and its key are looked at by `examineCertificate`.
 */
export async function reach(publicUrl: string, tls: TlsSettings | undefined): Promise<Finding> {
  const isPrivate = tls?.kind === "files" || tls?.ca !== undefined;
  const remedy =
    tls === undefined
      ? "Check the reverse proxy, its certificate, and the firewall."
      : "Check the name's address, the ports and the firewall.";
  try {
    const { status, text } = await get(`${publicUrl}/health`, { demandsTrust: !isPrivate });
    if (status === 200 && text === "ok") return fine(subject, `${publicUrl} answers.`);
    const other = { code: "address_other", params: { url: publicUrl, status_code: status } } as const;
    return fault(subject, `${publicUrl}/health answers ${status}, and not as Windsock does.`, remedy, other);
  } catch (error) {
    const silent = { code: "address_silent", params: { url: publicUrl, error: codeOf(error) } } as const;
    return fault(subject, `${publicUrl} does not answer (${codeOf(error)}).`, remedy, silent);
  }
}

/** Not by `fetch`, which has an option for the certificate in one runtime only. */
const get = (url: string, { demandsTrust }: { demandsTrust: boolean }): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const options = { agent: false, signal: AbortSignal.timeout(seconds(5)), rejectUnauthorized: demandsTrust };
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const call = request(url, options, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (piece: string) => {
          text += piece;
          if (text.length > longest) call.destroy(new Error("The answer is too long."));
        })
        .on("end", () => resolve({ status: response.statusCode ?? 0, text }))
        .on("error", reject);
    });
    call.on("error", reject).end();
  });

/** Characters of an answer, which may be a page of another program. */
const longest = 1_000_000;

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  const own = "code" in error ? String(error.code) : error.name;
  return cause instanceof Error && "code" in cause ? String(cause.code) : own;
}
