import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  bits,
  der,
  ecdsaWithSha256,
  integer,
  objectIdentifier,
  octets,
  sequence,
  set,
  subjectAltName,
} from "../../core/der.ts";

/** 1.2.840.113549.1.9.14 */
const extensionRequest = objectIdentifier("2a864886f70d01090e");

/** Makes a request for a certificate for one name (PKCS #10, RFC 2986), in DER. @param key PEM, on P-256 */
export function signingRequest(domain: string, key: string): Buffer {
  const names = sequence(der(0x82, Buffer.from(domain, "ascii")));
  const extensions = sequence(sequence(subjectAltName, octets(names)));
  const request = sequence(
    integer(Buffer.of(0)), // version 1
    sequence(), // no subject: the name is in the extension
    createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "der" }),
    der(0xa0, sequence(extensionRequest, set(extensions))),
  );
  return sequence(request, ecdsaWithSha256, bits(sign("sha256", request, key)));
}
