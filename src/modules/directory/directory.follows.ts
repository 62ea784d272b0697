import { writeIntent } from "../../storage/intents.ts";
import { answer, type Follower, on } from "../../storage/occasions.ts";
import { aircraftChanged } from "../fleet/fleet.occasions.ts";
import { memberLeft, organizationChanged, organizationRemoved } from "../organizations/organizations.occasions.ts";
import { personChanged } from "../people/people.occasions.ts";
import { homePosition } from "../planning/planning.occasions.ts";
import { refreshEntry } from "./entries/refresh-entry.ts";
import { removeEntries } from "./entries/remove-entries.ts";
import { memberRemoved } from "./profiles/member-removed.ts";
import { positionOf } from "./profiles/position-of.ts";

/** An entry shows what the school has, and an instructor's own consent is needed as soon as there is an account. */
export const directoryFollows: readonly Follower[] = [
  on(organizationChanged, (tx, { id }) => refreshEntry(tx, { type: "schools", id })),
  on(organizationRemoved, removeEntries),
  on(personChanged, (tx, { id }) => refreshEntry(tx, { type: "instructors", id })),
  on(aircraftChanged, (tx, { id }) => refreshEntry(tx, { type: "aircraft", id })),
  on(memberLeft, (tx, { orgId, ...left }) =>
    writeIntent(tx, { now: () => new Date(tx.now) }, memberRemoved, orgId, left),
  ),
  answer(homePosition, (reader, { orgId }) => positionOf(reader, orgId)),
];
