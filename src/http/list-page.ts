/** Lists of the session API: as JSON in pages, as CSV, or some as PDF. */
import { z } from "zod";
import { yieldingEvery } from "../core/async.ts";
import { csvLine, textCell } from "../core/csv-writing.ts";
import { type Cursor, decodeCursor } from "../core/cursor.ts";
import type { Bytes } from "../core/kept-body.ts";
import { prefersCsv, prefersPdf } from "./accept.ts";
import { LIST_SEPARATOR } from "./import-cell.ts";
import { jsonPage } from "./json-page.ts";
import { EncodedText } from "./json-text.ts";
import type { Route } from "./route.ts";
import { streamOf } from "./stream-of.ts";

/** A page of a list as JSON, and how to read the rows after it. */
export class ListPage extends EncodedText {
  readonly first: Bytes;
  readonly after: (cursor: Cursor) => Promise<Bytes>;
  readonly pdf: MakePdf | undefined;
  /** Of the PDF file, without its ending. By default it follows from the route. */
  readonly pdfName: string | undefined;

  constructor(first: Bytes, after: (cursor: Cursor) => Promise<Bytes>, pdf?: MakePdf, pdfName?: string) {
    super(first, "application/json;charset=utf-8");
    this.first = first;
    this.after = after;
    this.pdf = pdf;
    this.pdfName = pdfName;
  }
}

/** @param checkAccess called before each further page; throws if the caller has lost access */
type MakePdf = (checkAccess: () => Promise<void>) => AsyncGenerator<Uint8Array>;

export interface ListQuery {
  limit: number;
  cursor?: Cursor | undefined;
  offset?: number | undefined;
  with_total?: boolean | undefined;
}

/** How many rows are read at once for CSV. */
const PIECE = 500;

/** @param read returns a page as `pageBody` does */
export const listPage = async <Q extends ListQuery>(query: Q, read: (query: Q) => Promise<Bytes>): Promise<ListPage> =>
  new ListPage(await read(query), (cursor) =>
    read({ ...query, cursor, limit: PIECE, with_total: false, ...(query.offset !== undefined && { offset: 0 }) }),
  );

export interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined> };
  route: string;
}

interface Streaming {
  columnsOf(method: string, path: string): readonly Column[] | undefined;
  /** Called before each further page; throws if the caller has lost access. */
  checkAccess(): Promise<void>;
  /** Called before each piece is made, which may take longer than a connection may be silent. */
  keepOpen(): Disposable | undefined;
}

/** For a gate's `onAfterHandle`. CSV has the whole list, or with `limit` one page of it. */
export function negotiated(
  { request, responseValue, set, route }: Answered,
  { columnsOf, checkAccess, keepOpen }: Streaming,
): Response | undefined {
  if (!(responseValue instanceof ListPage)) return undefined;
  set.headers.vary = "Accept";
  if (responseValue.pdf && prefersPdf(request.headers.get("accept"))) {
    set.headers["content-disposition"] = `attachment; filename="${responseValue.pdfName ?? fileNameOf(route)}.pdf"`;
    const pieces = streamOf(responseValue.pdf(checkAccess), keepOpen);
    return new Response(pieces, { headers: { "content-type": "application/pdf" } });
  }
  const json = jsonPage({ request, set }, responseValue.first);
  if (!prefersCsv(request.headers.get("accept"))) return json;
  const columns = columnsOf("GET", route) ?? [];
  const isWhole = !new URL(request.url).searchParams.has("limit");
  if (isWhole) delete set.headers.link;
  set.headers["content-disposition"] = `attachment; filename="${fileNameOf(route)}.csv"`;
  const lines = csvOf(columns, responseValue, isWhole ? checkAccess : undefined);
  return new Response(streamOf(lines, keepOpen), { headers: { "content-type": "text/csv;charset=utf-8" } });
}

/** `/orgs/:orgId/compliance/records` becomes `compliance-records`. */
const fileNameOf = (route: string): string =>
  route
    .split("/")
    .filter((part) => part !== "" && part !== "orgs" && !part.startsWith(":"))
    .join("-");

const Page = z.object({
  data: z.array(z.unknown()),
  page: z.object({ next_cursor: z.string().nullable() }),
});

async function* csvOf(
  columns: readonly Column[],
  list: ListPage,
  checkAccess: (() => Promise<void>) | undefined,
): AsyncGenerator<Bytes> {
  const pause = yieldingEvery();
  let text = csvLine(columns.map((path) => path.join(".")));
  for (let bytes: Bytes | undefined = list.first; bytes !== undefined; ) {
    const { data, page } = Page.parse(JSON.parse(bytes.toString()));
    for (const row of data) text += csvLine(columns.map((path) => cellOf(valueAt(row, path))));
    yield Buffer.from(text);
    text = "";
    const cursor = checkAccess && page.next_cursor !== null ? decodeCursor(page.next_cursor) : undefined;
    if (cursor === undefined) return;
    await pause();
    await checkAccess?.();
    bytes = await list.after(cursor);
  }
}

/** The path of a value in a row: `["aircraft", "registration"]`. */
export type Column = readonly string[];

/** Returns the columns of a list that a route declares: one for each field, also of objects inside the row. */
export function csvColumnsOf({ hooks }: Route): readonly Column[] | undefined {
  const body: unknown = hooks.response?.[200];
  const rows = body instanceof z.ZodObject && "page" in body.shape ? body.shape.data : undefined;
  return rows instanceof z.ZodArray ? columnsIn(rows.element) : undefined;
}

/** Returns the columns of a row as CSV, each as the path of its value. */
export function columnsIn(schema: unknown, path: Column = []): readonly Column[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return columnsIn(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, inner]) => columnsIn(inner, [...path, name]));
}

const valueAt = (row: unknown, path: Column): unknown =>
  path.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined), row);

/** A list of words becomes one cell, which an import reads. What has parts of its own stays JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return textCell(value);
  if (typeof value !== "object") return String(value);
  const isWords = Array.isArray(value) && value.every((one) => typeof one === "string");
  return textCell(isWords ? value.join(LIST_SEPARATOR) : JSON.stringify(value));
}
