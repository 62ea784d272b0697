/**
 * Ways to make Windsock call addresses that are not public (server-side request forgery). Each is tried twice: when an
 * endpoint is saved, and when it is dialled, since its name may have resolved to another address at the save. A receiver
 * listens on loopback and must get no request.
 */
import { afterAll, expect, test } from "bun:test";
import type { OrgId } from "../../src/core/ids.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender } from "../../src/events/outbound/sender.ts";
import { createVetUrl } from "../../src/events/outbound/vet-url.ts";
import { newAuthority } from "./certificate.ts";
import { closeReceivers, newReceiver } from "./receiver.ts";

const orgId = "01890a5d-ac96-774b-bcce-b302099a8057" as OrgId;

/** The host in the URL, and for a name the addresses that it resolves to. */
const targets: [host: string, ...addresses: string[]][] = [
  // Loopback, in every notation that `URL` accepts.
  ["127.0.0.1"],
  ["127.0.0.1."],
  ["127.1"],
  ["127.0.1"],
  ["127.255.255.254"],
  ["2130706433"],
  ["017700000001"],
  ["0x7f000001"],
  ["0x7f.0.0.1"],
  ["0x7f.1"],
  ["0177.0.0.1"],
  ["0177.0.0.01"],
  ["127.0.0x1"],
  ["%31%32%37.0.0.1"],
  ["１２７.0.0.1"],
  ["①②⑦.0.0.1"],
  ["127。0。0。1"],
  ["0"],
  ["0.0.0.0"],
  ["[::1]"],
  ["[::]"],
  ["[0:0:0:0:0:0:0:1]"],
  // IPv4 inside IPv6.
  ["[::ffff:127.0.0.1]"],
  ["[::ffff:7f00:1]"],
  ["[::127.0.0.1]"],
  ["[::ffff:0:127.0.0.1]"],
  ["[64:ff9b::127.0.0.1]"],
  ["[64:ff9b:1::7f00:1]"],
  ["[2002:7f00:1::]"],
  ["[2001:0:7f00:1::]"],
  // Private networks, and carrier-grade NAT.
  ["10.0.0.1"],
  ["167772161"],
  ["012.0.0.1"],
  ["0xa.0.0.1"],
  ["172.16.0.1"],
  ["172.31.255.255"],
  ["192.168.0.1"],
  ["3232235521"],
  ["100.64.0.1"],
  ["[fc00::1]"],
  ["[fd00::1]"],
  ["[::ffff:192.168.0.1]"],
  // Metadata services of clouds.
  ["169.254.169.254"],
  ["169.254.169.254."],
  ["2852039166"],
  ["0251.0376.0251.0376"],
  ["0xa9.0xfe.0xa9.0xfe"],
  ["[::ffff:169.254.169.254]"],
  ["[fd00:ec2::254]"],
  ["168.63.129.16"],
  ["100.100.100.200"],
  ["192.0.0.192"],
  // Link-local, multicast, broadcast, documentation, benchmarks, reserved.
  ["169.254.0.1"],
  ["[fe80::1]"],
  ["[fec0::1]"],
  ["224.0.0.1"],
  ["[ff02::1]"],
  ["255.255.255.255"],
  ["192.0.2.1"],
  ["[2001:db8::1]"],
  ["198.18.0.1"],
  ["240.0.0.1"],
  ["192.88.99.1"],
  ["[100::1]"],
  ["[4000::1]"],
  // Names.
  ["localhost", "127.0.0.1", "::1"],
  ["localhost.", "127.0.0.1"],
  ["LOCALHOST", "127.0.0.1"],
  ["app.localhost", "127.0.0.1"],
  ["loopback.test", "127.0.0.1"],
  ["loopback6.test", "::1"],
  ["private.test", "10.0.0.1"],
  ["private.test.", "192.168.1.1"],
  ["mapped.test", "::ffff:10.0.0.1"],
  ["nat64.test", "64:ff9b::a00:1"],
  ["metadata.test", "169.254.169.254"],
  ["azure.test", "168.63.129.16"],
  ["one-of-two.test", "93.184.215.14", "127.0.0.1"],
  ["zone.test", "fe80::1%eth0"],
  ["not-an-address.test", "2130706433"],
  ["metadata.google.internal", "169.254.169.254"],
];

const authority = newAuthority();
const receiver = await newReceiver(authority.issue("127.0.0.1", "localhost", "rebound.test"));
afterAll(closeReceivers);

const resolve = async (name: string) => {
  const [, ...addresses] = targets.find(([host]) => host.toLowerCase() === name) ?? [];
  if (addresses.length === 0) throw new Error("ENOTFOUND");
  return addresses;
};
const policy = addressPolicy([]);
const vetUrl = createVetUrl({ allow: [], resolve });
const sender = createSender({ policy, keepAlive: false, version: "1", timeout: 2000, ca: authority.ca, resolve });
afterAll(sender.close);

test("the table has at least 60 targets, each once", () => {
  expect(new Set(targets.map(([host]) => host)).size).toBe(targets.length);
  expect(targets.length).toBeGreaterThanOrEqual(60);
});

test.each(targets)("%s is refused when it is saved and when it is dialled", async (host) => {
  const url = `https://${host}:${receiver.port}/`;
  await expect(vetUrl(url, orgId)).rejects.toMatchObject({
    issues: [{ code: "refused_address", message: expect.stringContaining("WINDSOCK_WEBHOOK_ALLOW") }],
  });
  const outcome = await sender({ url, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ errorClass: "refused_address", status: null, body: null });
  expect(receiver.received).toEqual([]);
});

test.each(targets.filter(([, ...addresses]) => addresses.length > 0))(
  "a name that is public when it is saved is refused when it resolves like %s at the dial",
  async (_, ...addresses) => {
    const answers = [["93.184.215.14"], addresses];
    const changing = async () => answers.shift() ?? [];
    const saved = await createVetUrl({ allow: [], resolve: changing })(`https://rebound.test:${receiver.port}/`, orgId);
    const send = createSender({ policy, keepAlive: false, version: "1", timeout: 2000, resolve: changing });
    const outcome = await send({ url: saved, headers: {}, body: "{}" });
    send.close();
    expect(outcome).toMatchObject({ errorClass: "refused_address", status: null });
    expect(answers).toEqual([]);
    expect(receiver.received).toEqual([]);
  },
);
