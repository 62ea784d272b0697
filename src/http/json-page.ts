/** The response of a list, with `Link: rel="next"` (RFC 8288) if there is a next page. */
import { z } from "zod";
import { type Bytes, KeptBody } from "../core/kept-body.ts";
import { type EncodedText, jsonText } from "./json-text.ts";
import { requestPath } from "./request-path.ts";

/** The part of `page` that the next page is found by. */
const Page = z.object({ limit: z.int(), offset: z.int().optional(), next_cursor: z.string().nullable() });
type Page = z.infer<typeof Page>;

interface Asked {
  request: Request;
  set: { headers: Record<string, string | number | string[] | undefined> };
}

/** @param body of `pageBody` */
export function jsonPage({ request, set }: Asked, body: Bytes | KeptBody): EncodedText {
  const link = body instanceof KeptBody ? linkOfKept(request, body) : linkOf(request, body);
  if (link !== undefined) set.headers.link = link;
  return jsonText(body);
}

interface KnownLink {
  url: string;
  link: string | undefined;
}

const links = new WeakMap<KeptBody, KnownLink>();

/** Integrators repeat the same requests, so a cached body has the link of its last request. */
function linkOfKept(request: Request, body: KeptBody): string | undefined {
  const known = links.get(body);
  if (known?.url === request.url) return known.link;
  const link = linkOf(request, body.bytes);
  links.set(body, { url: request.url, link });
  return link;
}

function linkOf(request: Request, bytes: Bytes): string | undefined {
  const page = pageOf(bytes);
  return page.next_cursor === null ? undefined : `<${nextPage(request, page, page.next_cursor)}>; rel="next"`;
}

/** `page` is the last field of the body, and its values contain no quotes. */
const pageOf = (bytes: Bytes): Page =>
  Page.parse(JSON.parse(bytes.toString("utf8", bytes.lastIndexOf('"page":') + 7, bytes.length - 1)));

/** Returns the reference of the next page: by offset if the request has only an offset, else by cursor. */
function nextPage(request: Request, { limit, offset }: Page, cursor: string): string {
  const { url } = request;
  const at = url.indexOf("?");
  const asked = at === -1 ? [] : url.slice(at + 1).split("&");
  const has = (name: string) => asked.some((one) => one.startsWith(`${name}=`));
  const kept = asked.filter((one) => one !== "" && !one.startsWith("cursor=") && !one.startsWith("offset="));
  const next =
    offset !== undefined && has("offset") && !has("cursor") ? `offset=${offset + limit}` : `cursor=${cursor}`;
  return `${requestPath(request)}?${[...kept, next].join("&")}`.replace(UNSAFE, encodeURIComponent);
}

/** Characters that a client may send unencoded in a query, but that a header or the brackets of a link can't contain. */
const UNSAFE = /[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu;
