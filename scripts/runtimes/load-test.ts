import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads a test file, named from the root of the tree. An executable has the files in itself (`compile-tests.ts`). */
export const loadTest = (file: string): Promise<unknown> =>
  import(pathToFileURL(join(import.meta.dirname, "../..", file)).href);
