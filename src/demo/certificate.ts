/**
 * Makes a self-signed certificate for 127.0.0.1, with which the demo's receiver and `windsock listen` use HTTPS. Node can sign
 * but not encode a certificate. Format: RFC 5280.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { days, shift } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import {
  bits,
  der,
  ecdsaWithSha256,
  integer,
  objectIdentifier,
  octets,
  pem,
  sequence,
  set,
  subjectAltName,
} from "../core/der.ts";

export interface Certificate {
  /** PEM. */
  key: string;
  /** PEM. Clients that trust it need no other authority. */
  cert: string;
}

export function selfSigned(now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(commonName, utf8("Windsock test receiver"))));
  const signed = sequence(
    der(0xa0, integer(Buffer.of(2))), // version 3
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])), // serial number, positive
    ecdsaWithSha256,
    name, // issuer
    sequence(time(new Date(shift(now, -days(1)))), time(new Date(shift(now, days(365))))),
    name, // subject
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, octets(sequence(der(0x87, Buffer.of(127, 0, 0, 1))))))),
  );
  const signature = bits(sign("sha256", signed, privateKey));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", sequence(signed, ecdsaWithSha256, signature)),
  };
}

const utf8 = (text: string) => der(0x0c, Buffer.from(text));
/** UTCTime, which ends in 2049. */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, "")}Z`));

/** 2.5.4.3 */
const commonName = objectIdentifier("550403");
