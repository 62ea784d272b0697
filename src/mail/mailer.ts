/** Mail through the operator's SMTP server. */
import nodemailer from "nodemailer";
import { seconds } from "../core/clock.ts";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /** Whether mail goes anywhere at all. */
  readonly isConfigured: boolean;
  /**
   * Hands a mail over and returns at once: nobody waits for a mail server, and nobody learns from the time it takes
   * whether there was anything to send. What can't be sent is logged, without its text and its address; what comes while
   * too many wait is dropped, with one line for all of it until the line is empty.
   */
  send(mail: Mail): void;
  /** Ends after what is waiting and being sent, or at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

interface MailerOptions {
  /** `smtp:` or `smtps:`; undefined when no mail is to be sent. */
  smtpUrl: string | undefined;
  from: string;
  log: { error(details: object, message: string): void };
}

/** A server that takes longer for any one step is not going to take the mail. */
const timeouts = {
  dnsTimeout: seconds(10),
  connectionTimeout: seconds(10),
  greetingTimeout: seconds(10),
  socketTimeout: seconds(30),
};

/** Mail servers count connections too, and a memory that fills with letters helps nobody. */
const CONNECTIONS = 5;
const MAX_WAITING = 1000;
/** Less than the socket's, whose end would be an error. */
const IDLE = seconds(20);

export function createMailer({ smtpUrl, from, log }: MailerOptions): Mailer {
  if (smtpUrl === undefined) return { isConfigured: false, send: () => undefined, close: async () => undefined };
  const transport = nodemailer.createTransport(
    {
      url: smtpUrl,
      ...timeouts,
      pool: true,
      maxConnections: CONNECTIONS,
      idleTimeout: IDLE,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const underWay = new Set<Promise<void>>();
  let isOverflowing = false;
  return {
    isConfigured: true,
    send(mail) {
      if (underWay.size >= MAX_WAITING) {
        if (!isOverflowing) log.error({ waiting: underWay.size }, "Mails are dropped: too many are waiting.");
        isOverflowing = true;
        return;
      }
      // A turn later: whoever waits for the answer does not wait for the letter to be put together.
      const sending = new Promise((resolve) => setImmediate(resolve))
        .then(() => transport.sendMail({ ...mail, headers: automatic }))
        .then(
          () => undefined,
          (error: unknown) => log.error({ smtp: whatFailed(error) }, "A mail could not be sent."),
        )
        .finally(() => {
          underWay.delete(sending);
          if (underWay.size === 0) isOverflowing = false;
        });
      underWay.add(sending);
    },
    async close(deadlineMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
      if (underWay.size > 0) log.error({ mails: underWay.size }, "Mails were still being sent at the stop.");
      transport.close();
    },
  };
}

/** RFC 3834: no out-of-office reply is to answer these. */
const automatic = { "Auto-Submitted": "auto-generated" };

/** What the library and the server call it. Messages are left out: servers like to repeat the recipient in them. */
function whatFailed(error: unknown): object {
  const known = typeof error === "object" && error !== null ? error : {};
  const field = (name: string) => Object.entries(known).find(([key]) => key === name)?.[1];
  return { code: field("code") ?? "unknown", command: field("command"), response_code: field("responseCode") };
}
