import { expect, test } from "bun:test";
import type { OrgId } from "../../src/core/ids.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createVetUrl } from "../../src/events/outbound/vet-url.ts";

const policy = addressPolicy([]);

const refused: [what: string, ...addresses: string[]][] = [
  ["loopback", "127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"],
  ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
  [
    "link-local, and metadata services of clouds",
    "169.254.0.1",
    "169.254.169.254",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
  ],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
  ["unspecified and this network", "0.0.0.0", "0.1.2.3", "::"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  ["broadcast and reserved", "255.255.255.255", "240.0.0.1", "192.0.0.1", "192.0.0.170"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["6to4 and its relays", "2002:7f00:1::", "2002:a00:1::1", "192.88.99.1"],
  ["Teredo and ORCHID", "2001::1", "2001:0:53aa:64c::1", "2001:10::1", "2001:20::1"],
  ["NAT64", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1"],
  ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1"],
  ["site-local, discard, segment routing, unallocated", "fec0::1", "100::1", "5f00::1", "4000::1", "e000::1"],
  ["hosts of clouds", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd20:ce::254", "fd00:c1::a9fe:a9fe"],
  ["not an address", "", "localhost", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "8.8.8", "8.8.8.8.8"],
];

test.each(refused)("addresses are refused: %s", (_, ...addresses) => {
  expect(addresses.map((address) => [address, policy(address)])).toEqual(
    addresses.map((address) => [address, "refused"]),
  );
});

test("public addresses are public", () => {
  for (const address of [
    "8.8.8.8",
    "93.184.215.14",
    "172.32.0.1",
    "168.63.129.17",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])
    expect([address, policy(address)]).toEqual([address, "public"]);
});

test("the operator's exceptions are allowed, and no other address", () => {
  const allowing = addressPolicy(["127.0.0.0/8", "10.1.0.0/16", "fd00:1::/32", "8.8.8.8/32"]);
  const classes = ["127.0.0.1", "10.1.2.3", "fd00:1::5", "8.8.8.8", "10.2.0.1", "::1", "::ffff:127.0.0.1", "8.8.4.4"];
  expect(classes.map(allowing)).toEqual([
    "allowed",
    "allowed",
    "allowed",
    "allowed",
    "refused",
    "refused",
    "refused",
    "public",
  ]);
  expect(() => addressPolicy(["10.0.0.0"])).toThrow();
});

const names: Record<string, readonly string[]> = {
  "public.test": ["93.184.215.14", "2606:4700::1111"],
  "public.test.": ["93.184.215.14"],
  "private.test": ["10.0.0.1"],
  "mixed.test": ["93.184.215.14", "127.0.0.1"],
  "mapped.test": ["::ffff:10.0.0.1"],
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  "xn--bcher-kva.test": ["93.184.215.14"],
};
const resolve = async (name: string) => {
  const addresses = names[name];
  if (addresses === undefined) throw new Error("ENOTFOUND");
  return addresses;
};
const vetUrl = createVetUrl({ allow: [], resolve });
const orgId = "01890a5d-ac96-774b-bcce-b302099a8057" as OrgId;

test.each([
  ["https://public.test/hook?a=b", "https://public.test/hook?a=b"],
  ["https://PUBLIC.test:443", "https://public.test/"],
  ["https://public.test.:8443/a#fragment", "https://public.test.:8443/a"],
  ["https://bücher.test/", "https://xn--bcher-kva.test/"],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://[2606:4700::1111]:9443/", "https://[2606:4700::1111]:9443/"],
])("vetUrl accepts %s", async (url, expected) => {
  expect(await vetUrl(url, orgId)).toBe(expected);
});

test.each([
  ["public.test", "invalid_url"],
  ["", "invalid_url"],
  ["https://", "invalid_url"],
  ["https://256.256.256.256/", "invalid_url"],
  ["http://public.test/", "not_https"],
  ["ftp://public.test/", "not_https"],
  ["file:///etc/passwd", "not_https"],
  ["https://user:secret@public.test/", "credentials"],
  ["https://user@public.test/", "credentials"],
  ["https://public.test:22/", "blocked_port"],
  ["https://public.test:25/", "blocked_port"],
  ["https://public.test:6667/", "blocked_port"],
  ["https://public.test:10080/", "blocked_port"],
  ["https://unknown.test/", "refused_address"],
  ["https://private.test/", "refused_address"],
  ["https://mixed.test/", "refused_address"],
  ["https://mapped.test/", "refused_address"],
  ["https://localhost/", "refused_address"],
  ["https://localhost./", "refused_address"],
  ["https://127.0.0.1/", "refused_address"],
  ["https://127.0.0.1./", "refused_address"],
  ["https://127.1/", "refused_address"],
  ["https://0x7f.0.0.1/", "refused_address"],
  ["https://0177.0.0.1/", "refused_address"],
  ["https://2130706433/", "refused_address"],
  ["https://0/", "refused_address"],
  ["https://１２７.0.0.1/", "refused_address"],
  ["https://[::1]/", "refused_address"],
  ["https://[::ffff:127.0.0.1]/", "refused_address"],
  ["https://[::ffff:7f00:1]/", "refused_address"],
  ["https://[64:ff9b::7f00:1]/", "refused_address"],
  ["https://169.254.169.254/latest/meta-data/", "refused_address"],
  ["https://168.63.129.16/", "refused_address"],
])("vetUrl refuses %s", async (url, code) => {
  await expect(vetUrl(url, orgId)).rejects.toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path: "url", code }] });
});

test("vetUrl never repeats the URL", async () => {
  const refusal = await vetUrl("https://user:secret@public.test/", orgId).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ issues: [{ path: "url" }] });
  expect(JSON.stringify(refusal)).not.toContain("secret");
});

test("vetUrl refuses a URL of more than 2048 characters", async () => {
  await expect(vetUrl(`https://public.test/${"a".repeat(2048)}`, orgId)).rejects.toMatchObject({
    issues: [{ code: "too_long" }],
  });
});

test("vetUrl stops waiting for a lookup after its timeout", async () => {
  const slow = createVetUrl({ allow: [], resolve: () => new Promise(() => undefined), timeout: 10 });
  await expect(slow("https://public.test/", orgId)).rejects.toMatchObject({ issues: [{ code: "refused_address" }] });
});

test("vetUrl accepts the operator's exceptions, with https only", async () => {
  const own = createVetUrl({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
  expect(await own("https://localhost:8443/", orgId)).toBe("https://localhost:8443/");
  await expect(own("http://localhost:8443/", orgId)).rejects.toMatchObject({ issues: [{ code: "not_https" }] });
});
