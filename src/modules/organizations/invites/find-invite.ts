import { eq } from "drizzle-orm";
import { toInstant } from "../../../core/clock.ts";
import type { Context } from "../../../storage/context.ts";
import { resource } from "../../../storage/shape.ts";
import { invites } from "../organizations.tables.ts";
import { type PublicInvite, publicInvite, publicInviteSource } from "./invites.shapes.ts";
import { requireOpenInvite } from "./invites.ts";

/** Returns what the holder of the token may see of the invite. @throws as `requireOpenInvite` */
export function findInvite({ control, clock }: Context, { token }: { token: string }): Promise<PublicInvite> {
  return control.read(async (reader) => {
    const { id } = await requireOpenInvite(reader, token, toInstant(clock.now()));
    return resource(reader, publicInvite, { from: publicInviteSource, where: eq(invites.id, id) });
  });
}
