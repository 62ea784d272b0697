/** A mail server on this machine that stores the mails it receives. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface Delivered {
  /** The recipient in the envelope. */
  recipients: string[];
  user: string | undefined;
  /** Whether it came over TLS. */
  isSecure: boolean;
  raw: string;
  email: Email;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  delivered: readonly Delivered[];
  /** Waits for the next mail to an address. */
  mailTo(address: string): Promise<Delivered>;
  /** The sessions that were begun, including rejected ones. */
  sessions(): number;
  /** The highest number of open connections. */
  most(): number;
}

interface Options extends SMTPServerOptions {
  /** Awaited before a mail is accepted. */
  hold?: Promise<void>;
}

export async function startMailServer({ hold, ...options }: Options = {}): Promise<MailServer> {
  const delivered: Delivered[] = [];
  const taken = new EventTarget();
  let sessions = 0;
  let now = 0;
  let most = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    ...options,
    onConnect(_, accept) {
      sessions += 1;
      now += 1;
      most = Math.max(most, now);
      taken.dispatchEvent(new Event("session"));
      accept();
    },
    onClose() {
      now -= 1;
    },
    onData(stream, session, done) {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        await hold;
        const raw = Buffer.concat(chunks).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        const { user, secure } = session;
        const email = await PostalMime.parse(raw);
        delivered.push({
          recipients,
          user: user === undefined ? undefined : String(user),
          isSecure: secure,
          raw,
          email,
        });
        taken.dispatchEvent(new Event("mail"));
        done();
      })();
    },
  });
  // Clients that disconnect early are one of the tested cases.
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    delivered,
    async mailTo(address) {
      for (;;) {
        const found = delivered.find(({ recipients }) => recipients.includes(address));
        if (found) return found;
        await new Promise((resolve) => taken.addEventListener("mail", resolve, { once: true }));
      }
    },
    sessions: () => sessions,
    most: () => most,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
