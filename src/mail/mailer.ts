/** Sends mail through the operator's SMTP server. */
import { seconds } from "../core/clock.ts";
import { currentTrace } from "../core/current-trace.ts";
import { nextSpan, type Span, type Spans, type Trace } from "../core/trace.ts";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** An invitation that calendars take as an update (RFC 6047). */
  calendar?: { method: "REQUEST" | "CANCEL" | "PUBLISH"; content: string };
}

export interface Mailer {
  /** Whether an SMTP server is configured. */
  readonly isConfigured: boolean;
  /** The sender: an address, or `Name <address>`. */
  readonly from: string;
  /**
   * Queues a mail and returns at once: requests do not wait for the mail server, and the response time does not reveal
   * whether a mail was sent. Failures are logged without text and address. When the queue is full, mails are dropped; this
   * is logged once until the queue is empty.
   */
  send(mail: Mail): void;
  /**
   * Sends a mail. Failures are logged as those of `send`.
   *
   * @param cause the span that caused it; by default the one on whose behalf the caller runs
   * @returns whether the mail server has taken it
   */
  deliver(mail: Mail, cause?: Trace): Promise<boolean>;
  /** Since the start. */
  stats(): MailStats;
  /** Waits for queued mails, until the deadline. A second call does nothing. */
  close(deadlineMs: number): Promise<void>;
}

export interface MailStats {
  /** Handed over and neither sent nor failed. */
  waiting: number;
  sent: number;
  /** Not taken by the mail server. What is in the queue of a school is tried again. */
  failed: number;
  /** The queue was full. */
  dropped: number;
}

interface MailerOptions {
  /** `smtp:` or `smtps:`. Without it, no mail is sent. */
  smtpUrl: string | undefined;
  from: string;
  log: { error(details: object, message: string): void };
  /** Given if spans are exported. */
  spans?: Pick<Spans, "record"> | undefined;
}

/** Limits for each step. A server that takes longer counts as failed. */
const timeouts = {
  dnsTimeout: seconds(10),
  connectionTimeout: seconds(10),
  greetingTimeout: seconds(10),
  socketTimeout: seconds(30),
};

/** Mail servers limit connections as well. */
const CONNECTIONS = 5;
/** Bounds the memory. */
const MAX_WAITING = 1000;
/** Shorter than `socketTimeout`, which would be reported as an error. */
const IDLE = seconds(20);

/** Loads the library only if a mail server is configured. */
export async function createMailer({ smtpUrl, from, log, spans }: MailerOptions): Promise<Mailer> {
  if (smtpUrl === undefined)
    return {
      isConfigured: false,
      from,
      send: () => undefined,
      deliver: async () => false,
      stats: () => ({ waiting: 0, sent: 0, failed: 0, dropped: 0 }),
      close: async () => undefined,
    };
  const { default: nodemailer } = await import("nodemailer");
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
  const counts = { sent: 0, failed: 0, dropped: 0 };
  let isOverflowing = false;
  let isClosed = false;
  async function deliver({ calendar, ...mail }: Mail, cause = currentTrace()): Promise<boolean> {
    const trace = cause && nextSpan(cause);
    const began = performance.now();
    const record = (error?: string) => {
      if (trace?.isSampled) spans?.record(spanOf(trace, cause, { milliseconds: performance.now() - began, error }));
    };
    try {
      await transport.sendMail({ ...mail, headers: automatic, ...(calendar && { icalEvent: calendar }) });
      counts.sent += 1;
      record();
      return true;
    } catch (error) {
      counts.failed += 1;
      const smtp = smtpFailure(error);
      log.error(
        { smtp, ...(trace && { trace_id: trace.traceId, span_id: trace.spanId }) },
        "A mail could not be sent.",
      );
      record(smtp.code);
      return false;
    }
  }
  return {
    isConfigured: true,
    from,
    deliver,
    stats: () => ({ waiting: underWay.size, ...counts }),
    send(mail) {
      if (underWay.size >= MAX_WAITING) {
        if (!isOverflowing) log.error({ waiting: underWay.size }, "Mails are dropped: the queue is full.");
        isOverflowing = true;
        counts.dropped += 1;
        return;
      }
      const cause = currentTrace();
      // In a later turn of the event loop: the response does not wait until the mail is composed.
      const sending = new Promise((resolve) => setImmediate(resolve))
        .then(() => deliver(mail, cause))
        .then(() => undefined)
        .finally(() => {
          underWay.delete(sending);
          if (underWay.size === 0) isOverflowing = false;
        });
      underWay.add(sending);
    },
    async close(deadlineMs) {
      if (isClosed) return;
      isClosed = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
      if (underWay.size > 0) log.error({ mails: underWay.size }, "The server stopped before these mails were sent.");
      transport.close();
    },
  };
}

/** Prevents out-of-office replies (RFC 3834). */
const automatic = { "Auto-Submitted": "auto-generated" };

/** Returns the codes of the library and the server. Messages are omitted: servers often repeat the recipient in them. */
function smtpFailure(error: unknown) {
  const known = typeof error === "object" && error !== null ? error : {};
  const field = (name: string) => Object.entries(known).find(([key]) => key === name)?.[1];
  return {
    code: String(field("code") ?? "unknown"),
    command: field("command"),
    response_code: field("responseCode"),
  };
}

/** In the trace of the request or the job that caused the mail. It says neither to whom nor about what. */
const spanOf = (
  trace: Trace,
  parent: Trace | undefined,
  { milliseconds, error }: { milliseconds: number; error: string | undefined },
): Span => ({ name: "send mail", kind: "client", trace, parent, milliseconds, attributes: {}, error });
