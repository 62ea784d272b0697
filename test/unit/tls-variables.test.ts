import { expect, test } from "bun:test";
import { ConfigError, loadConfig } from "../../src/config.ts";

const url = { WINDSOCK_PUBLIC_URL: "https://ops.example.com" };
const auto = { WINDSOCK_TLS: "auto", ...url };
const files = { WINDSOCK_TLS_CERT: "/chain.pem", WINDSOCK_TLS_KEY: "/key.pem" };

test("WINDSOCK_TLS=auto needs a public name only: it listens on all addresses, at the usual ports", () => {
  const { host, port, tls } = loadConfig(auto);
  expect({ host, port, tls }).toEqual({
    host: "0.0.0.0",
    port: 443,
    tls: {
      kind: "acme",
      domain: "ops.example.com",
      directory: "https://acme-v02.api.letsencrypt.org/directory",
      email: undefined,
      ca: undefined,
      httpPort: 80,
    },
  });
});

test("WINDSOCK_TLS=auto takes other addresses, ports and authorities", () => {
  const { host, port, tls } = loadConfig({
    ...auto,
    WINDSOCK_HOST: "::",
    WINDSOCK_PORT: "8443",
    WINDSOCK_HTTP_PORT: "8080",
    WINDSOCK_ACME_DIRECTORY: "https://ca.example.com/dir",
    WINDSOCK_ACME_EMAIL: "ops@example.com",
    WINDSOCK_ACME_CA: "/ca.pem",
  });
  expect({ host, port, tls }).toEqual({
    host: "::",
    port: 8443,
    tls: {
      kind: "acme",
      domain: "ops.example.com",
      directory: "https://ca.example.com/dir",
      email: "ops@example.com",
      ca: "/ca.pem",
      httpPort: 8080,
    },
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  ["auto without an address", { WINDSOCK_TLS: "auto" }, /WINDSOCK_PUBLIC_URL must be the https address/],
  ["files and plain HTTP", { ...files, WINDSOCK_PUBLIC_URL: "http://ops.example.com" }, /WINDSOCK_PUBLIC_URL must be/],
  ["auto with files", { ...auto, ...files }, /can't be set, too/],
  ["a certificate without a key", { ...url, WINDSOCK_TLS_CERT: "/chain.pem" }, /together, or neither/],
  ["auto for an address", { ...auto, WINDSOCK_PUBLIC_URL: "https://192.0.2.1" }, /a name of the DNS/],
  ["auto for this machine", { ...auto, WINDSOCK_PUBLIC_URL: "https://ops.localhost" }, /a name of the DNS/],
  ["a redirect to nothing", { ...url, WINDSOCK_HTTP_PORT: "80" }, /WINDSOCK_HTTP_PORT redirects to HTTPS/],
])("refuses %s", (_name, env, message) => {
  expect(() => loadConfig(env)).toThrow(ConfigError);
  expect(() => loadConfig(env)).toThrow(message);
});
