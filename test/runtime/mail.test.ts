/** Mail of a running server, received by a mail server on this machine. */
import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:net";
import { onBehalfOf } from "../../src/core/current-trace.ts";
import type { Span } from "../../src/core/trace.ts";
import { createMailer } from "../../src/mail/mailer.ts";
import { newAuthority } from "../events/certificate.ts";
import { startMailServer } from "./mail-server.ts";
import { endProcesses, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

const password = "correct horse battery";
const email = "ada@school.example";

async function post(url: string, path: string, body: object, token?: string) {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const signUp = (url: string) => post(url, "/auth/signup", { email, password, name: "Ada Lindner" });

const smtp = {
  WINDSOCK_MAIL_FROM: "Flugschule Egelsbach <ops@school.example>",
  WINDSOCK_PUBLIC_URL: "https://ops.example.com",
};

describe("a server with a mail server", () => {
  test("mails a working link at sign-up, from the configured address, in plain text", async () => {
    await using mails = await startMailServer();
    const server = await startServer({ ...smtp, WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
    const url = await urlOf(server);
    const { status, body } = await signUp(url);
    expect(status).toBe(201);

    const { email: mail, recipients, raw } = await mails.mailTo(email);
    expect(recipients).toEqual([email]);
    expect(mail.from).toMatchObject({ name: "Flugschule Egelsbach", address: "ops@school.example" });
    expect(mail.to).toMatchObject([{ address: email }]);
    expect(mail.subject).toBe("Confirm your e-mail address");
    expect(raw).toContain("Content-Type: text/plain");
    expect(mail.html).toBeUndefined();
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
    const [, token = ""] = /^https:\/\/ops\.example\.com\/app\/link#verify=([\w-]{43})$/m.exec(mail.text ?? "") ?? [];

    const { access_token } = body.data.tokens;
    expect(await post(url, "/auth/email/verify", { token }, access_token)).toMatchObject({ status: 200 });
    const { code, stdout } = await stop(server);
    expect(code).toBe(0);
    for (const secret of [token, email, password]) expect(stdout).not.toContain(secret);
  }, 120_000);

  test("authenticates with user and password, over TLS if offered", async () => {
    const identity = newAuthority().issue("localhost");
    const credentials: string[] = [];
    await using mails = await startMailServer({
      ...identity,
      authOptional: false,
      disabledCommands: [],
      onAuth({ username, password: shown }, _, done) {
        credentials.push(`${username}:${shown}`);
        done(null, { user: username });
      },
    });
    // The certificate authority is a test's, so the server does not verify it.
    const url = `smtp://windsock:s%40cret@localhost:${mails.port}/?requireTLS=true&tls.rejectUnauthorized=false`;
    const server = await startServer({ ...smtp, WINDSOCK_SMTP_URL: url });
    await signUp(await urlOf(server));
    expect(await mails.mailTo(email)).toMatchObject({ user: "windsock", isSecure: true });
    expect(credentials).toEqual(["windsock:s@cret"]);
    // The connection is reused for the next mail.
    await stop(server);
  }, 120_000);

  test("signs a user up also when the mail server does not respond, is not trusted or refuses, and logs no address", async () => {
    const identity = newAuthority().issue("localhost");
    await using untrusted = await startMailServer({ ...identity, disabledCommands: [] });
    await using refusing = await startMailServer({
      onRcptTo: ({ address }, _, done) => done(new Error(`No mailbox ${address} here`)),
    });
    const nobody = createServer().listen(0, "127.0.0.1");
    await once(nobody, "listening");
    const { port } = nobody.address() as { port: number };
    await new Promise((resolve) => nobody.close(resolve));

    for (const [smtpPort, code] of [
      [port, "ESOCKET"],
      [untrusted.port, "ESOCKET"],
      [refusing.port, "EENVELOPE"],
    ] as const) {
      const server = await startServer({ ...smtp, WINDSOCK_SMTP_URL: `smtp://localhost:${smtpPort}` });
      expect((await signUp(await urlOf(server))).status).toBe(201);
      const [line] = await server.shows("stdout", /^.*A mail could not be sent.*$/m);
      expect(JSON.parse(line)).toMatchObject({ level: "error", smtp: { code } });
      const { stdout, stderr } = await stop(server);
      for (const secret of [email, "verify=", "mailbox"]) expect(stdout + stderr).not.toContain(secret);
    }
    expect(untrusted.delivered).toEqual([]);
  }, 120_000);

  test("sends queued mails before it ends", async () => {
    const held = Promise.withResolvers<void>();
    await using mails = await startMailServer({ hold: held.promise });
    const server = await startServer({ ...smtp, WINDSOCK_SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
    await signUp(await urlOf(server));
    server.signal("SIGTERM");
    await server.shows("stdout", /Stopping/);
    expect(mails.delivered).toEqual([]);
    held.resolve();
    expect(await server.ended).toBe(0);
    expect(mails.delivered).toHaveLength(1);
  }, 120_000);
});

test("a mailer waits for a mail server until the deadline at most", async () => {
  const lines: string[] = [];
  await using mails = await startMailServer({ hold: new Promise(() => undefined) });
  const log = { error: (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`) };
  const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${mails.port}`, from: "ops@school.example", log });
  mailer.send({ to: email, subject: "Hello", text: "Hello." });
  await mailer.close(50);
  expect(lines).toEqual(['The server stopped before these mails were sent. {"mails":1}']);
}, 5_000);

test("a mailer tells whether the mail server has taken a mail, and logs no address", async () => {
  const lines: string[] = [];
  await using mails = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(address === email ? null : new Error(`No mailbox ${address} here`)),
  });
  const log = { error: (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`) };
  const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${mails.port}`, from: "ops@school.example", log });
  const deliver = (to: string) => mailer.deliver({ to, subject: "Hello", text: "Hello." });
  expect([await deliver(email), await deliver("bob@school.example")]).toEqual([true, false]);
  expect(mails.delivered.map(({ recipients }) => recipients)).toEqual([[email]]);
  expect(lines).toEqual([expect.stringMatching(/^A mail could not be sent\. .*"EENVELOPE"/)]);
  expect(lines.join()).not.toContain("bob@");
  await mailer.close(1000);
}, 5_000);

test("a mail's span and log line are in the trace of what caused it, and name neither recipient nor subject", async () => {
  const [recorded, lines]: [Span[], object[]] = [[], []];
  await using mails = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(address === email ? null : new Error("No such mailbox")),
  });
  const mailer = await createMailer({
    smtpUrl: `smtp://127.0.0.1:${mails.port}`,
    from: "ops@school.example",
    log: { error: (details: object) => void lines.push(details) },
    spans: { record: (span) => void recorded.push(span) },
  });
  const to = (address: string) => ({ to: address, subject: "Hello", text: "Hello." });
  const request = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", isSampled: true };
  const stored = { ...request, spanId: "00f067aa0ba902b7" };
  onBehalfOf(request, () => mailer.send(to(email)));
  // What is queued in a school's file is sent by a job, whose trace is another one.
  await onBehalfOf(request, () => mailer.deliver(to("bob@school.example"), stored));
  await onBehalfOf({ ...request, isSampled: false }, () => mailer.deliver(to(email)));
  await mailer.deliver(to("bob@school.example"));
  await mailer.close(5000);

  const sent = { name: "send mail", kind: "client", attributes: {}, milliseconds: expect.any(Number) } as const;
  expect(recorded.sort((one, other) => (one.error ?? "").localeCompare(other.error ?? ""))).toEqual([
    { ...sent, trace: { ...request, spanId: expect.any(String) }, parent: request, error: undefined },
    { ...sent, trace: { ...request, spanId: expect.any(String) }, parent: stored, error: "EENVELOPE" },
  ]);
  const [, failed] = recorded;
  expect(lines).toEqual([
    { smtp: expect.any(Object), trace_id: request.traceId, span_id: failed?.trace.spanId },
    { smtp: expect.any(Object) },
  ]);
}, 10_000);

test("a mailer opens at most five connections, queues a thousand mails, and drops the rest with one log line", async () => {
  const lines: string[] = [];
  const held = Promise.withResolvers<void>();
  await using mails = await startMailServer({ hold: held.promise });
  const log = { error: (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`) };
  const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${mails.port}`, from: "ops@school.example", log });
  const send = () => mailer.send({ to: email, subject: "Hello", text: "Hello." });
  for (let n = 0; n < 1010; n += 1) send();
  expect(lines).toEqual(['Mails are dropped: the queue is full. {"waiting":1000}']);
  held.resolve();
  await mailer.close(20_000);
  expect(mails.delivered).toHaveLength(1000);
  // More connections than five would fail; each is used for up to a hundred mails.
  expect(mails.most()).toBe(5);
  expect(lines).toHaveLength(1);
}, 120_000);

test("a mailer without a mail server sends nothing and is not configured", async () => {
  const mailer = await createMailer({
    smtpUrl: undefined,
    from: "ops@school.example",
    log: { error: () => expect.unreachable() },
  });
  expect(mailer.isConfigured).toBe(false);
  mailer.send({ to: email, subject: "Hello", text: "Hello." });
  await mailer.close(50);
});
