/** Certificates for receivers in tests, by a new authority each time, as minimal DER (RFC 5280). */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** PEM. */
export interface Identity {
  key: string;
  cert: string;
}

export interface Authority {
  /** The authority's certificate in PEM, to trust. */
  ca: string;
  /** Issues a certificate for names and addresses. */
  issue(...hosts: string[]): Identity;
}

export function newAuthority(name = "Windsock test authority"): Authority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = distinguishedName(name);
  const make = (subject: Buffer, publicKey: KeyObject, ...extensions: Buffer[]) =>
    certificate({ issuer, subject, publicKey, extensions, signer: keys.privateKey });
  return {
    ca: make(issuer, keys.publicKey, extension("2.5.29.19", sequence(der(0x01, Buffer.from([0xff]))), true)),
    issue(...hosts) {
      const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const names = sequence(...hosts.map(generalName));
      return {
        key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        cert: make(distinguishedName("receiver"), own.publicKey, extension("2.5.29.17", names)),
      };
    },
  };
}

interface Contents {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  extensions: Buffer[];
  signer: KeyObject;
}

function certificate({ issuer, subject, publicKey, extensions, signer }: Contents): string {
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40; // positive, of full length
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // v3
    der(0x02, serial),
    algorithm,
    issuer,
    sequence(time(-1), time(2)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", toBeSigned, createPrivateKey(signer.export({ type: "pkcs8", format: "pem" })));
  const bytes = sequence(toBeSigned, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const distinguishedName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name)))));

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

const generalName = (host: string): Buffer =>
  isIP(host) === 4 ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));

/** Returns a time some days from now. TLS uses the real clock, which tests do not move. */
function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return der(0x18, Buffer.from(text));
}
