import { answer, type Follower } from "../../storage/occasions.ts";
import { managesLinks, mayShare } from "../sharing/sharing.occasions.ts";
import type { PackId } from "./evidence.tables.ts";
import { requirePack, seesPack } from "./packs/packs.queries.ts";

export const evidenceFollows: readonly Follower[] = [
  answer(mayShare, async (reader, { purpose, id, actor }) => {
    if (purpose === "vtr") await requirePack(reader, id as PackId, actor);
  }),
  answer(managesLinks, (reader, { id, actor }) => seesPack(reader, id as PackId, actor)),
];
