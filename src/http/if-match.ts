/**
 * `If-Match` (RFC 9110, 13.1.1): a write is carried out only if the resource is still what the client has seen. Verbs are not
 * involved: inside the transaction of their first write, before anything else, the GET of the resource is answered once more
 * for the same caller, and its tag compared. A database has one write at a time, and reads see committed rows, so that this
 * is what the write is about to change.
 */
import { badRequest, notFound, preconditionFailed } from "../core/errors.ts";
import type { Kind, Store } from "../storage/store.ts";
import type { Arrival } from "./gate.ts";
import { isRead } from "./is-read.ts";
import { templateOf } from "./path-template.ts";
import type { StateOf } from "./request-state.ts";
import type { Route } from "./route.ts";
import { isOpen, securityOf } from "./route-security.ts";
import { type Writing, withWrites } from "./with-writes.ts";

interface IfMatchOptions {
  stateOf: StateOf;
  routes(): readonly Route[];
  /** Returns the application's response to a request. */
  answerTo(request: Request): Promise<Response>;
}

export function createIfMatch({ stateOf, routes, answerTo }: IfMatchOptions) {
  let known: ReturnType<typeof taggedResources> | undefined;

  /** @throws NOT_FOUND, or what else makes the resource unreadable */
  const tagAt = async (request: Request, path: string): Promise<string | undefined> => {
    const headers = new Headers({ accept: "application/json" });
    for (const name of ["authorization", "x-org-id"]) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const read = new Request(new URL(path, request.url), { method: "HEAD", headers });
    stateOf(read).isInner = true;
    const { status, headers: answered } = await answerTo(read);
    if (status === 404) throw notFound();
    if (status >= 500) throw new Error(`GET ${path} for If-Match: ${status}`);
    return answered.get("etag") ?? undefined;
  };

  return {
    /**
     * Returns the context, whose databases compare the tag before their first write.
     *
     * @throws BAD_REQUEST the header is not valid, or the request's route has nothing to compare with
     */
    begin<C extends Writing>({ request, route, set }: Pick<Arrival, "request" | "route" | "set">, context: C): C {
      const header = request.headers.get("if-match");
      if (header === null || isRead(request)) return context;
      known ??= taggedResources(routes());
      const resource = known(request.method, templateOf(route));
      if (resource === undefined) throw notTaken();
      const condition = conditionOf(header);
      const path = new URL(request.url).pathname.split("/").slice(0, resource.split("/").length).join("/");

      const state = stateOf(request);
      const check = async () => {
        const tag = await tagAt(request, path);
        if (condition(tag)) return;
        if (tag !== undefined) set.headers.etag = tag;
        throw preconditionFailed(
          "resource_changed",
          "The resource is no longer what `If-Match` names. Read it again, and decide whether the change still fits.",
        );
      };
      state.precondition = check;
      const comparing =
        <K extends Kind>(store: Store<K>): Store<K>["write"] =>
        async (body) => {
          if (state.precondition === undefined) return store.write(body);
          const result = await store.write(async (tx) => {
            await check();
            return body(tx);
          });
          state.precondition = undefined;
          return result;
        };
      return withWrites(context, comparing);
    },

    /** For a gate's `onAfterHandle`: a verb may have found nothing to write. @throws as a write */
    async end(request: Request): Promise<void> {
      const state = stateOf(request);
      if (state.keyed?.replay === undefined) await state.precondition?.();
    },
  };
}

/** For gates whose routes have nothing to compare with. @throws BAD_REQUEST */
export function refuseIfMatch(request: Request): void {
  if (request.headers.has("if-match") && !isRead(request)) throw notTaken();
}

const notTaken = () =>
  badRequest("`If-Match` is not supported here: this path has no tag to compare with. Send the request without it.");

/**
 * Returns a lookup of the resource that a request writes, as a template: the nearest one, from the request's own path upwards,
 * whose GET has a tag. A POST is an action below one resource: one that adds to a list has no such resource.
 */
export function taggedResources(routes: readonly Route[]) {
  const gets = new Set(
    routes.filter((route) => route.method === "GET" && !isOpen(securityOf(route))).map(({ path }) => templateOf(path)),
  );
  return (method: string, template: string): string | undefined => {
    if (isRead({ method }) || (method === "POST" && gets.has(template))) return undefined;
    let at = template;
    while (at !== "" && !gets.has(at)) at = at.slice(0, at.lastIndexOf("/"));
    const isResource = method !== "POST" || (at.endsWith("}") && at !== "/orgs/{orgId}");
    return at !== "" && isResource ? at : undefined;
  };
}

/** One element of a list of tags (RFC 9110, 8.8.3 and 5.6.1), which may be empty. */
const LISTED = /[ \t]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/**
 * Returns whether a tag satisfies the header. The comparison is strong: a weak tag never matches. The tag of the compressed form
 * stands for the same content.
 *
 * @throws BAD_REQUEST it is not a list of tags, or `*`
 */
function conditionOf(header: string): (tag: string | undefined) => boolean {
  const text = header.trim();
  if (text === "*") return (tag) => tag !== undefined;
  const tags = tagsIn(text);
  return (tag) => tag !== undefined && (tags.has(tag) || tags.has(`${tag.slice(0, -1)}-gzip"`));
}

function tagsIn(text: string): ReadonlySet<string> {
  const strong = new Set<string>();
  let count = 0;
  for (LISTED.lastIndex = 0; LISTED.lastIndex < text.length; ) {
    const [, weak, tag] = LISTED.exec(text) ?? invalid();
    if (tag === undefined && weak !== undefined) invalid();
    if (tag !== undefined) count += 1;
    if (tag !== undefined && weak === undefined) strong.add(tag);
  }
  if (count === 0) invalid();
  return strong;
}

function invalid(): never {
  throw badRequest('`If-Match` must be the `ETag` of a response, such as "3b1f8c40d29ae675", a list of them, or `*`.');
}
