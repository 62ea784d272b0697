/** Who may look into the running process: `/debug` and `/metrics`. */
import ipaddr from "ipaddr.js";
import { notFound } from "../../core/errors.ts";
import type { ClientInfo } from "../../http/request-state.ts";
import type { Context } from "../../storage/context.ts";
import { platformPermissionsOf } from "../accounts/operator/platform-permissions.queries.ts";

export const whoMayLook =
  "Only when the operator has switched it on: from the machine itself, and from elsewhere to whoever is permitted `platform_admin.debug:read`. 404 for everybody else.";

/** @throws NOT_FOUND to whoever is neither on the machine itself nor permitted */
export async function requireMayLook(
  { actor, control }: Context,
  client: ClientInfo,
  { headers }: Request,
): Promise<void> {
  if (isLoopback(client.address) && namesLoopback(headers.get("host") ?? "") && !isPassedOn(headers)) return;
  if (actor.kind !== "user") throw notFound();
  const held = await control.read((reader) => platformPermissionsOf(reader, actor.userId));
  if (!held.has("platform_admin.debug:read")) throw notFound();
}

/**
 * Whoever is on the machine itself may look. Behind a proxy on the same machine everybody seems to be, and not every
 * proxy says that it is one: so a request must also have been meant for this machine, by the name that it was sent to.
 */
const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

function namesLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name.toLowerCase() === "localhost" || isLoopback(name);
}

/** Headers that proxies add. */
const passedOn = /^(forwarded|x-forwarded-.*|x-real-ip|via|cf-.*)$/;

const isPassedOn = (headers: Headers): boolean => [...headers.keys()].some((name) => passedOn.test(name));
