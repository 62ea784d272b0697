/** Encodes ASN.1 as DER (X.690), as far as certificates and requests for them need it: a library for it has thirty dependencies. */

/** Encodes one value: tag, length, content. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes, content]);
}

export const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
export const set = (...parts: readonly Buffer[]) => der(0x31, ...parts);
export const integer = (bytes: Buffer) => der(0x02, bytes);
export const octets = (bytes: Buffer) => der(0x04, bytes);
/** Whole bytes. */
export const bits = (bytes: Buffer) => der(0x03, Buffer.of(0), bytes);

/** @param hex its content: the encoded numbers */
export const objectIdentifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"));

/** 2.5.29.17 */
export const subjectAltName = objectIdentifier("551d11");
/** 1.2.840.10045.4.3.2 */
export const ecdsaWithSha256 = sequence(objectIdentifier("2a8648ce3d040302"));

/** @param label as in `-----BEGIN CERTIFICATE-----` */
export const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n").trimEnd()}\n-----END ${label}-----\n`;
