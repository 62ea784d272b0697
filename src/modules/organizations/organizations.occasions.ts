import type { OrgId, UserId } from "../../core/ids.ts";
import type { organizationKinds } from "../../identity/identity.tables.ts";
import { occasion, question } from "../../storage/occasions.ts";

/** In the organization's own database. */
export const organizationChanged = occasion<{ id: OrgId }>("an organization was changed", ["directory"]);

/** In the control database. */
export const memberLeft = occasion<{ orgId: OrgId; userId: UserId; requestId: string }, "control">(
  "a member left or was removed",
  ["directory"],
);

/** In the control database, which forgets it in this transaction. */
export const organizationRemoved = occasion<{ orgId: OrgId }, "control">("an organization is removed", [
  "marketplace",
  "addons",
  "directory",
]);

type Kind = (typeof organizationKinds)[number];

/** The kinds of programs that an organization of this kind may not train, and in which students are enrolled. */
export const untrainedBy = question<{ kind: Kind }, readonly string[]>("what would no longer be trained?", [
  "training",
]);
