/** The native libraries in the executable: `scripts/compile.ts` puts them in place of this empty record. */

export interface EmbeddedLibrary {
  /** The name of the file that it is unpacked into, with a digest of what it contains. */
  file: string;
  /** Its size in that file, in bytes. */
  size: number;
  /** Where the executable has it, compressed by gzip. */
  packed: string;
}

/** By the name that its package asks for. */
export const libraries: Readonly<Record<string, EmbeddedLibrary>> = {};
