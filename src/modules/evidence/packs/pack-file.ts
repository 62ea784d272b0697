/** The file of a pack, made from its parts when it is read. */
import { crc32 } from "node:zlib";
import type { Tenant } from "../../../storage/store.ts";
import { directoryOf, type Entry, localHeader, MANIFEST, SIGNATURE } from "../format/zip.ts";
import { contentOf, type PartRow } from "./parts.ts";

interface Signed {
  manifest: Buffer;
  signature: Buffer;
  parts: readonly PartRow[];
}

export const entriesOf = ({ manifest, signature, parts }: Signed): Entry[] => [
  { name: MANIFEST, bytes: manifest.length, crc32: crc32(manifest) },
  { name: SIGNATURE, bytes: signature.length, crc32: crc32(signature) },
  ...parts,
];

/** Returns the file, a piece at a time. */
export async function* fileOf(tenant: Pick<Tenant, "read">, signed: Signed): AsyncGenerator<Uint8Array> {
  const entries = entriesOf(signed);
  const [manifest, signature, ...others] = entries.map(localHeader);
  yield Buffer.concat(
    [manifest ?? "", signed.manifest, signature ?? "", signed.signature].map((one) => Buffer.from(one)),
  );
  for (const [index, part] of signed.parts.entries()) {
    yield others[index] ?? Buffer.alloc(0);
    yield* contentOf(tenant, part);
  }
  yield directoryOf(entries);
}
