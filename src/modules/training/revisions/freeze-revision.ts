import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../../storage/store.ts";
import { type RevisionId, trainingRevisions as table } from "../training.tables.ts";

/** Freezes a revision for ever, because a student is enrolled in it now. */
export const freezeRevision = (tx: Tx<"tenant">, id: RevisionId): Promise<unknown> =>
  tx
    .update(table)
    .set({ frozen_at: tx.now })
    .where(and(eq(table.id, id), isNull(table.frozen_at)));
