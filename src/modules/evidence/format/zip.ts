/**
 * The ZIP file of a pack. Its entries are not compressed and have no times, so names, lengths and contents determine every
 * byte: a verifier writes the headers again and compares.
 */

export interface Entry {
  /** ASCII. */
  name: string;
  /** Below 4 GiB. */
  bytes: number;
  crc32: number;
}

/** The first entries, before the parts. */
export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest.sig";

const VERSION = 20;
/** 1 January 1980, the first day that ZIP knows. */
const FIRST_DAY = 0x21;

/** The length of a local header without the name. */
export const HEADER_BYTES = 30;

/** Returns what stands before the content of an entry. */
export function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, entry, 4);
  return Buffer.concat([header, Buffer.from(entry.name)]);
}

/** Returns the length and the checksum that a local header states. */
export const statedIn = (header: Buffer): Omit<Entry, "name"> => ({
  crc32: header.readUInt32LE(14),
  bytes: header.readUInt32LE(18),
});

/** Returns the end of the file: the central directory and its record. */
export function directoryOf(entries: readonly Entry[]): Buffer {
  let offset = 0;
  const headers = entries.map((entry) => {
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(VERSION, 4);
    writeCommon(header, entry, 6);
    header.writeUInt32LE(offset, 42);
    offset += lengthOf(entry);
    return Buffer.concat([header, Buffer.from(entry.name)]);
  });
  const directory = Buffer.concat(headers);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([directory, end]);
}

/** Returns the length of the whole file. */
export const fileBytes = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + lengthOf(entry), directoryOf(entries).length);

const lengthOf = ({ name, bytes }: Entry): number => HEADER_BYTES + Buffer.byteLength(name) + bytes;

/** What local and central headers have in common. */
function writeCommon(header: Buffer, { name, bytes, crc32 }: Entry, at: number): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FIRST_DAY, at + 8);
  header.writeUInt32LE(crc32, at + 10);
  header.writeUInt32LE(bytes, at + 14);
  header.writeUInt32LE(bytes, at + 18);
  header.writeUInt16LE(Buffer.byteLength(name), at + 22);
}
