import { z } from "zod";
import type { Bytes } from "../../core/kept-body.ts";

const Page = z.object({ data: z.array(z.unknown()), page: z.object({ total: z.int() }) });

/** Returns the rows of a page with how many there are, as JSON text. @param page of `pageBody`, with `with_total` */
export function firstOf(page: Bytes): string {
  const { data: rows, page: of } = Page.parse(JSON.parse(page.toString()));
  return JSON.stringify({ count: of.total, rows });
}
