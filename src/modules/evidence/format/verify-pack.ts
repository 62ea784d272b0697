/** Verifies a pack as it is read, with the public key alone. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { parseJson } from "../../../http/json-body.ts";
import { bytesOf, isSigned, Manifest } from "./manifest.ts";
import { type PublicKey, thumbprintOf } from "./public-key.ts";
import { ByteReader } from "./read-bytes.ts";
import type { Trust } from "./trusted-key.ts";
import { directoryOf, type Entry, HEADER_BYTES, localHeader, MANIFEST, SIGNATURE, statedIn } from "./zip.ts";

/** The file is no pack, is not complete, or was changed. Its message says where. */
export class PackFault extends Error {
  override readonly name = "PackFault";
}

interface Options {
  /** Without it, nobody has checked whose key has signed the pack. */
  trusts?: Trust | undefined;
  /** The parts whose content is returned. They must fit into memory. */
  keep?: readonly string[];
}

export interface VerifiedPack {
  manifest: Manifest;
  /** SHA-256 of the file. */
  sha256: string;
  contents: ReadonlyMap<string, Buffer>;
}

const longestManifest = 64 * 1024;

/** Of a part that is kept. A training has some hundred fields. */
const longestKept = 512 * 1024;

/** @throws PackFault */
export async function verifyPack(
  pieces: AsyncIterable<Uint8Array>,
  { trusts, keep = [] }: Options = {},
): Promise<VerifiedPack> {
  const file = createHash("sha256");
  const reader = new ByteReader(hashing(pieces, file));
  try {
    const { manifest, contents } = await readPack(reader, { trusts, keep });
    return { manifest, sha256: file.digest("hex"), contents };
  } finally {
    await reader.close();
  }
}

async function readPack(
  reader: ByteReader,
  { trusts, keep }: Required<Options>,
): Promise<Omit<VerifiedPack, "sha256">> {
  const entries: Entry[] = [];
  const manifestBytes = await small(reader, entries, MANIFEST, longestManifest);
  const manifest = parsed(manifestBytes);
  const signature = await small(reader, entries, SIGNATURE, 64);
  const { x, thumbprint } = manifest.key;
  if (trusts?.(x, manifest.issued_at) === false)
    throw new PackFault("It was signed with another key than the given one, or after that one was retired.");
  if (thumbprint !== thumbprintOf(x) || !isValid(x, manifestBytes, signature))
    throw new PackFault("The signature is not valid.");

  const contents = new Map<string, Buffer>();
  for (const { name, bytes, sha256 } of manifest.parts) {
    const isKept = keep.includes(name);
    if (isKept && bytes > longestKept) throw new PackFault(`The part ${name} is too large.`);
    const content = await entry(reader, entries, name, (stated) => stated.bytes === bytes, isKept);
    if (content.sha256 !== sha256) throw new PackFault(`The part ${name} was changed.`);
    if (isKept) contents.set(name, content.kept);
  }
  const directory = directoryOf(entries);
  if (!directory.equals(await reader.take(directory.length))) throw new PackFault("The end of the file was changed.");
  if (!(await reader.isAtEnd())) throw new PackFault("There is something after the end.");
  return { manifest, contents };
}

async function* hashing(pieces: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** Reads an entry whose length only its own header states. */
const small = async (reader: ByteReader, entries: Entry[], name: string, most: number): Promise<Buffer> =>
  (await entry(reader, entries, name, ({ bytes }) => bytes <= most, true)).kept;

async function entry(
  reader: ByteReader,
  entries: Entry[],
  name: string,
  fits: (stated: Omit<Entry, "name">) => boolean,
  isKept: boolean,
): Promise<{ sha256: string; kept: Buffer }> {
  const header = await reader.take(HEADER_BYTES + Buffer.byteLength(name));
  if (header.length < HEADER_BYTES) throw new PackFault(`It ends before ${name}.`);
  const expected = { name, ...statedIn(header) };
  if (!localHeader(expected).equals(header) || !fits(expected)) throw new PackFault(`${name} is not where it must be.`);
  entries.push(expected);
  const hash = createHash("sha256");
  const kept: Buffer[] = [];
  let [checksum, read] = [0, 0];
  for await (const piece of reader.stream(expected.bytes)) {
    hash.update(piece);
    checksum = crc32(piece, checksum);
    read += piece.length;
    if (isKept) kept.push(piece);
  }
  if (read < expected.bytes) throw new PackFault(`It ends within ${name}.`);
  if (checksum !== expected.crc32) throw new PackFault(`${name} was changed.`);
  return { sha256: hash.digest("hex"), kept: Buffer.concat(kept) };
}

function parsed(bytes: Buffer): Manifest {
  try {
    const manifest = Manifest.parse(parseJson(bytes, { entries: 500 }));
    if (bytesOf(manifest).equals(bytes)) return manifest;
  } catch {
    // as below
  }
  throw new PackFault(`${MANIFEST} is not the manifest of a pack.`);
}

function isValid(key: PublicKey, bytes: Buffer, signature: Buffer): boolean {
  try {
    return isSigned(bytes, signature, key);
  } catch {
    return false; // the text is no key
  }
}
