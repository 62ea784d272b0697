/**
 * Makes a self-signed certificate for 127.0.0.1, with which the demo's receiver and `windsock listen` use HTTPS. Node can sign but not encode a certificate. The DER encoding of the fields is here, because a library for it has
 * thirty dependencies. Format: RFC 5280; encoding: X.690.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { days, shift } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";

export interface Certificate {
  /** PEM. */
  key: string;
  /** PEM. Clients that trust it need no other authority. */
  cert: string;
}

export function selfSigned(now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(commonName, utf8("Windsock test receiver"))));
  const signed = sequence(
    der(0xa0, integer(Buffer.of(2))), // version 3
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])), // serial number, positive
    ecdsaWithSha256,
    name, // issuer
    sequence(time(new Date(shift(now, -days(1)))), time(new Date(shift(now, days(365))))),
    name, // subject
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(der(0x87, Buffer.of(127, 0, 0, 1))))))),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", signed, privateKey));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(sequence(signed, ecdsaWithSha256, signature)),
  };
}

/** Encodes one value: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes, content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const integer = (bytes: Buffer) => der(0x02, bytes);
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
/** UTCTime, which ends in 2049. */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, "")}Z`));

/** The object identifiers 2.5.4.3, 2.5.29.17 and 1.2.840.10045.4.3.2. */
const commonName = der(0x06, Buffer.from("550403", "hex"));
const subjectAltName = der(0x06, Buffer.from("551d11", "hex"));
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`;
