/** The cursor of a list: opaque text for the client, with the name of the order and the sort key of a page's last row. */
import { z } from "zod";

export const Cursor = z.array(z.union([z.string(), z.int()])).min(1);
export type Cursor = Readonly<z.infer<typeof Cursor>>;

export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** Returns `undefined` for text that `encodeCursor` did not make: base64url and JSON can write one value in several ways. */
export function decodeCursor(text: string): Cursor | undefined {
  try {
    const cursor = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return encodeCursor(cursor) === text ? cursor : undefined;
  } catch {
    return undefined;
  }
}
