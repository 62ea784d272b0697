/** A server that is killed between an approval and the record of its delivery. */
import { afterEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { verify } from "@octokit/webhooks-methods";
import { newAuthority } from "../events/certificate.ts";
import { closeReceivers } from "../events/receiver.ts";
import { stretched } from "../support/limits.ts";
import { newInbox } from "./inbox.ts";
import { endProcesses, newFolder, type Running, startServer, urlOf } from "./processes.ts";

let proxy: TcpProxy | undefined;
afterEach(async () => {
  await endProcesses();
  await closeReceivers();
  proxy?.close();
  proxy = undefined;
});

const member = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };

/** Starts a server and its receiver, and creates a school with a flight that waits for approval. */
async function newSchool() {
  const authority = newAuthority();
  const inbox = await newInbox(authority.issue("127.0.0.1"));
  const connection = await openProxy(inbox.port);
  proxy = connection;
  const folder = await newFolder();
  const ca = join(folder, "ca.pem");
  await writeFile(ca, authority.ca);
  const env = {
    WINDSOCK_DATA_DIR: join(folder, "data"),
    WINDSOCK_WEBHOOK_ALLOW: "127.0.0.1/32",
    WINDSOCK_WEBHOOK_CA: ca,
  };
  const start = async () => {
    const server = await startServer(env);
    return { server, url: await urlOf(server) };
  };

  const { server, url } = await start();
  const organization = { name: "Windy Hill", kind: "ato" };
  const signedUp = await post(url, "/auth/signup-org", { ...member, organization });
  const token = signedUp.tokens.access_token;
  const org = `/orgs/${signedUp.organization.id}`;
  const make = (path: string, body?: object) => post(url, org + path, body, token);
  const aircraft = await make("/aircraft", { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
  const student = await make("/people", { name: "Sam Student", types: ["student"] });
  const medical = { person_id: student.id, type: "medical", level: "class_2", issued_on: "2026-01-10" };
  await make("/compliance/records", { ...medical, valid_until: "2031-01-10" });
  const instructor = await make("/people", { name: "Ines Instructor", types: ["instructor"] });
  const { id, secret } = await make("/integrations/webhook-endpoints", {
    url: `https://127.0.0.1:${connection.port}/`,
    event_types: ["flight.approved"],
  });
  const flight = await make("/flights", {
    aircraft_id: aircraft.id,
    off_block_at: "2026-06-14T08:00:00+02:00",
    on_block_at: "2026-06-14T09:02:00+02:00",
    departure: "EDFE",
    arrival: "EDKB",
    crew: [{ person_id: student.id, function: "solo" }],
    supervisor_id: instructor.id,
  });
  await make(`/flights/${flight.id}/submit`);
  return {
    inbox,
    proxy: connection,
    server,
    secret,
    endpoint: id,
    flight: flight.id,
    start,
    approve: () => make(`/flights/${flight.id}/approve`),
    /** Returns an event's deliveries, when each has ended. */
    async deliveries(at: string, eventId: string) {
      const deadline = Date.now() + stretched(10_000);
      for (;;) {
        const get = (path: string) => request(at, "GET", `${org}/integrations/${path}`, undefined, token);
        const { deliveries: listed } = await get(`events/${eventId}`);
        const deliveries = await Promise.all(listed.map(({ id }: { id: string }) => get(`deliveries/${id}`)));
        const hasEnded = deliveries.every((delivery: { finished_at: string | null }) => delivery.finished_at !== null);
        if (hasEnded || Date.now() > deadline) return deliveries;
      }
    },
  };
}

test("killed between the commit and the delivery: the delivery arrives once after the restart", async () => {
  const { proxy, server, inbox, approve, ...school } = await newSchool();
  // The proxy accepts the connection and forwards nothing: no TLS handshake finishes, so no request is sent.
  proxy.isOpen = false;
  expect(await approve()).toMatchObject({ status: "approved" });
  await proxy.connected;
  await kill(server);
  expect(inbox.deliveries).toEqual([]);

  proxy.isOpen = true;
  const { url } = await school.start();
  const delivery = await inbox.take("flight.approved");
  expect(delivery.event.data).toMatchObject({ flight: { id: school.flight, status: "approved" } });
  expect(await verify(school.secret, delivery.body, String(delivery.headers["x-svc-webhook-signature"]))).toBe(true);
  expect(await school.deliveries(url, delivery.event.id)).toMatchObject([
    { id: delivery.id, status: "succeeded", attempts: [{ number: 1, status_code: 204 }] },
  ]);
  expect(inbox.deliveries).toHaveLength(1);
}, 120_000);

test("killed between the response and its record: the same delivery arrives again after the restart", async () => {
  const { server, inbox, approve, ...school } = await newSchool();
  inbox.answer = (response, _, count) => {
    if (count === 1) server.signal("SIGKILL");
    response.writeHead(204).end();
  };
  // The response to the approval may arrive or not.
  const approved = approve().then(
    () => true,
    () => false,
  );
  const first = await inbox.take("flight.approved");
  expect(await server.ended).toBe("SIGKILL");
  await approved;

  const { url } = await school.start();
  const second = await inbox.take("flight.approved");
  expect(second.id).toBe(first.id);
  expect(second.body).toBe(first.body);
  for (const { body, headers } of [first, second])
    expect(await verify(school.secret, body, String(headers["x-svc-webhook-signature"]))).toBe(true);
  expect(await school.deliveries(url, first.event.id)).toMatchObject([
    { id: first.id, endpoint_id: school.endpoint, status: "succeeded", attempts: [{ number: 1, status_code: 204 }] },
  ]);
  expect(inbox.deliveries).toHaveLength(2);
}, 120_000);

async function kill(server: Running): Promise<void> {
  server.signal("SIGKILL");
  expect(await server.ended).toBe("SIGKILL");
}

const post = (url: string, path: string, body?: object, token?: string) => request(url, "POST", path, body, token);

/** @returns the response's `data` */
// biome-ignore lint/suspicious/noExplicitAny: the type depends on the route
async function request(url: string, method: string, path: string, body?: object, token?: string): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}

/** A TCP proxy in front of a receiver. While it is closed, it accepts connections but forwards nothing. */
interface TcpProxy {
  port: number;
  isOpen: boolean;
  /** Resolves at the first connection while the proxy is closed. */
  connected: Promise<void>;
  close(): void;
}

async function openProxy(to: number): Promise<TcpProxy> {
  const { promise: connected, resolve: onConnection } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    keep(socket);
    if (!opened.isOpen) {
      socket.resume();
      onConnection();
      return;
    }
    const onward = keep(connect(to, "127.0.0.1"));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const opened: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    isOpen: true,
    connected,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return opened;
}
