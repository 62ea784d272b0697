import { expect, test } from "bun:test";
import { clientAddress } from "../../src/http/client-address.ts";

test.each([
  ["the peer, when no proxy is trusted", [], "198.51.100.1", "203.0.113.7", "198.51.100.1"],
  ["the peer, when it is not a trusted proxy", ["10.0.0.0/8"], "198.51.100.1", "203.0.113.7", "198.51.100.1"],
  ["the peer, when the proxy forwards nothing", ["10.0.0.0/8"], "10.0.0.1", null, "10.0.0.1"],
  ["the address that the trusted proxy saw", ["10.0.0.0/8"], "10.0.0.1", "203.0.113.7", "203.0.113.7"],
  [
    "the address that the trusted proxy saw, not the address that the client claimed",
    ["10.0.0.0/8"],
    "10.0.0.1",
    "192.0.2.66, 203.0.113.7",
    "203.0.113.7",
  ],
  [
    "the first beyond a chain of trusted proxies",
    ["10.0.0.0/8"],
    "10.0.0.1",
    "203.0.113.7, 10.0.0.3,10.0.0.2",
    "203.0.113.7",
  ],
  ["the outermost trusted proxy, when all are trusted", ["10.0.0.0/8"], "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  [
    "the last valid address, if an invalid text precedes it",
    ["10.0.0.0/8"],
    "10.0.0.1",
    "203.0.113.7, <script>, 10.0.0.2",
    "10.0.0.2",
  ],
  ["the peer, when the header has no valid address", ["10.0.0.0/8"], "10.0.0.1", "unknown", "10.0.0.1"],
  ["the peer, for a number that is not an address", ["10.0.0.0/8"], "10.0.0.1", "1", "10.0.0.1"],
  [
    "an IPv4 address mapped into IPv6 as itself",
    ["10.0.0.0/8"],
    "::ffff:10.0.0.1",
    "::ffff:203.0.113.7",
    "203.0.113.7",
  ],
  ["an IPv6 address in its short form", ["fd00::/8"], "fd00:0:0::1", "2001:DB8:0:0::7", "2001:db8::7"],
  [
    "addresses with a port, as some proxies write them",
    ["10.0.0.0/8"],
    "10.0.0.1",
    "[2001:db8::7]:443, 10.0.0.2:80",
    "2001:db8::7",
  ],
  ["unknown, without a peer", ["0.0.0.0/0"], undefined, "203.0.113.7", "unknown"],
])("clientAddress is %s", (_, trusted, peer, forwarded, expected) => {
  expect(clientAddress(trusted)(peer, forwarded)).toBe(expected);
});
