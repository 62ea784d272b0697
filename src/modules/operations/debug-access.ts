/** Access to `/debug` and `/metrics`. */
import ipaddr from "ipaddr.js";
import { notFound } from "../../core/errors.ts";
import type { ClientInfo } from "../../http/request-state.ts";
import type { Context } from "../../storage/context.ts";
import { platformPermissionsOf } from "../accounts/operator/platform-permissions.queries.ts";

/** For the descriptions of the routes. */
export const debugAccess =
  "The operator must enable it. Allowed from the server's machine, and from any address for accounts with `platform_admin.debug:read`. Otherwise 404.";

/** @throws NOT_FOUND the request is not from this machine, and the account lacks the permission */
export async function requireDebugAccess(
  { actor, control }: Context,
  client: ClientInfo,
  { headers }: Request,
): Promise<void> {
  if (isLoopback(client.address) && namesLoopback(headers.get("host") ?? "") && !isForwarded(headers)) return;
  if (actor.kind !== "user") throw notFound();
  const held = await control.read((reader) => platformPermissionsOf(reader, actor.userId));
  if (!held.has("platform_admin.debug:read")) throw notFound();
}

/**
 * Requests from this machine have access. Behind a proxy on this machine, all requests have a loopback address, and not
 * every proxy adds a header. So the `Host` of the request must name this machine, too.
 */
const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

function namesLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name.toLowerCase() === "localhost" || isLoopback(name);
}

/** Headers that proxies add. */
const proxyHeader = /^(forwarded|x-forwarded-.*|x-real-ip|via|cf-.*)$/;

const isForwarded = (headers: Headers): boolean => [...headers.keys()].some((name) => proxyHeader.test(name));
