/** Where a page of a list ended, as a client keeps it: opaque text that holds the sort key of the page's last row. */
import { z } from "zod";

export const Cursor = z.array(z.union([z.string(), z.int()])).min(1);
export type Cursor = Readonly<z.infer<typeof Cursor>>;

export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** `undefined` unless `encodeCursor` made it: base64url and JSON can write one value in several ways. */
export function decodeCursor(text: string): Cursor | undefined {
  try {
    const cursor = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return encodeCursor(cursor) === text ? cursor : undefined;
  } catch {
    return undefined;
  }
}
