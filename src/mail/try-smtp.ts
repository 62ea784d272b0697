import { seconds } from "../core/clock.ts";

/** `refused`: no connection, or the server rejected the user. The code is the library's: servers repeat users in their texts. */
export type SmtpTrial = { outcome: "encrypted" } | { outcome: "plain" } | { outcome: "refused"; code: string };

const timeouts = {
  dnsTimeout: seconds(5),
  connectionTimeout: seconds(5),
  greetingTimeout: seconds(5),
  socketTimeout: seconds(5),
};

/** Connects to a mail server and signs in, with TLS if it has any. Sends nothing. */
export async function trySmtp(url: string): Promise<SmtpTrial> {
  const { default: nodemailer } = await import("nodemailer");
  const attempt = async (requireTLS: boolean): Promise<string | undefined> => {
    const transport = nodemailer.createTransport({ url, ...timeouts, requireTLS });
    try {
      await transport.verify();
      return undefined;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : "unknown";
    } finally {
      transport.close();
    }
  };
  const code = await attempt(true);
  if (code === undefined) return { outcome: "encrypted" };
  if (code !== "ETLS") return { outcome: "refused", code };
  const plainCode = await attempt(false);
  return plainCode === undefined ? { outcome: "plain" } : { outcome: "refused", code: plainCode };
}
