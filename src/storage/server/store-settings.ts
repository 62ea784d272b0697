/** Where the server is and how Windsock identifies itself: `WINDSOCK_STORE_URL` and its like. */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { Traffic } from "./hrana.ts";

export interface StoreSettings {
  /** The address of a namespace, with `{namespace}` in the first label of its host. */
  url: string;
  /** The address of the server's administration. */
  adminUrl: string;
  /** The private key (Ed25519, PEM) whose public half the server has. Left out only if the server is on this machine. */
  tokenKey: string | undefined;
  traffic?: Traffic;
  /** Waits that many milliseconds between two looks at another node. Tests do something meanwhile. */
  pause?: (ms: number) => Promise<unknown>;
  /** Milliseconds since any fixed point, by which a node knows how long it was silent. */
  stopwatch?: () => number;
}

/** In the address of a namespace. */
export const namespaceMark = "{namespace}";

/** Returns whether an address is on this machine: `localhost`, a name under it, or a loopback address. */
export function isOnThisMachine(url: string): boolean {
  const { hostname } = new URL(url.replace(namespaceMark, "namespace"));
  return /(^|\.)localhost$/.test(hostname) || /^127(\.\d+){3}$/.test(hostname) || hostname === "[::1]";
}

/** Returns the private key. @throws it is none, or not Ed25519, the only kind that the server takes */
export function tokenKeyOf(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("not an Ed25519 key");
  return key;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns the token for one namespace: a JWT that the server checks when a connection is made. */
export function namespaceToken(key: KeyObject, namespace: string): string {
  const unsigned = `${part({ alg: "EdDSA", typ: "JWT" })}.${part({ p: { rw: { ns: [namespace] } } })}`;
  return `${unsigned}.${sign(null, Buffer.from(unsigned), key).toString("base64url")}`;
}

/** Returns the name of a namespace, which is the first label of its host, and its address for WebSockets. */
export function namespaceAddress(template: string, name: string): { namespace: string; url: string } {
  const url = new URL(template.replace(namespaceMark, name));
  const [namespace = name] = url.hostname.split(".");
  const scheme = /^(https|wss|libsql):$/.test(url.protocol) ? "wss" : "ws";
  return { namespace, url: `${scheme}://${url.host}` };
}
