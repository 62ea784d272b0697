/** Invoice numbers of a server that is killed while 64 invoices are sent at once. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { seller } from "../support/money.ts";
import { endProcesses, newFolder, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

const member = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
const line = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1500 };

interface Invoice {
  id: string;
  status: string;
  number: string | null;
}

async function request(url: string, path: string, token?: string, body?: object, method = "POST") {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

async function started(folder: string) {
  const server = await startServer({ WINDSOCK_DATA_DIR: join(folder, "data") });
  return { server, url: await urlOf(server) };
}

test("numbers have no gaps and no repetitions, whenever the server is killed among 64 sends", async () => {
  const folder = await newFolder();
  let { server, url } = await started(folder);
  const organization = { name: "Windy Hill", kind: "ato" };
  const { data } = await request(url, "/auth/signup-org", undefined, { ...member, organization });
  const token = data.tokens.access_token;
  const org = `/orgs/${data.organization.id}`;
  await request(url, `${org}/finance/settings`, token, seller, "PATCH");
  const person = await request(url, `${org}/people`, token, { name: "Sam Student", types: ["student"] });
  const draft = async (): Promise<string> => {
    const body = { person_id: person.data.id, lines: [line] };
    return (await request(url, `${org}/finance/invoices`, token, body)).data.id;
  };
  const all = async (): Promise<Invoice[]> =>
    (await request(url, `${org}/finance/invoices?limit=500`, token, undefined, "GET")).data;
  let acknowledged = 0;
  for (const killAfter of [1, 9, 25, 40]) {
    const drafts = await Promise.all(Array.from({ length: 64 }, draft));
    let ended = 0;
    const numbers = new Map<string, string>();
    const sends = drafts.map(async (id) => {
      // Those that the kill interrupts have no response.
      const sent = await request(url, `${org}/finance/invoices/${id}/send`, token).catch(() => undefined);
      if (sent) numbers.set(id, sent.data.number);
      if (sent && ++ended === killAfter) server.signal("SIGKILL");
    });
    await Promise.all(sends);
    await server.ended;
    ({ server, url } = await started(folder));
    const invoices = await all();
    for (const [id, number] of numbers) expect(invoices.find((one) => one.id === id)?.number).toBe(number);
    acknowledged += numbers.size;
    const given = invoices
      .flatMap(({ number }) => (number === null ? [] : Number(number.split("-")[2])))
      .sort((a, b) => a - b);
    expect(given).toEqual(given.map((_, at) => at + 1));
    expect(given.length).toBeGreaterThanOrEqual(acknowledged);
    // What was not sent is a draft, and has no number.
    expect(invoices.filter(({ status }) => status === "draft").every(({ number }) => number === null)).toBe(true);
  }
}, 300_000);
