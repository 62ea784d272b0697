import { and, eq } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { ask } from "../../storage/occasions.ts";
import { descending, type PageRequest, pageBody } from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import { managesLinks } from "./sharing.occasions.ts";
import { type ShareTokenListQuery, shareToken } from "./sharing.schemas.ts";
import { type ShareTokenId, shareTokens as table } from "./sharing.tables.ts";

type TenantReader = Reader<"tenant">;

export const shareTokenEntity = entityOf("share_token", {
  table,
  shape: shareToken,
  path: { shareTokenId: table.id },
});

/**
 * Who may see a pack manages all links to it: also the one in its PDF, which no member made.
 *
 * @throws NOT_FOUND no such token, or another member made it and the actor does not manage tokens
 */
export async function requireOwnShareToken(reader: TenantReader, shareTokenId: ShareTokenId, actor: MemberActor) {
  const row = await shareTokenEntity.row(reader, { shareTokenId });
  if (row.created_by === actor.userId || permits(actor, "sharing:manage")) return row;
  if (await managesAll(reader, row.subject_id, actor)) return row;
  throw notFound();
}

const managesAll = async (reader: TenantReader, id: Id<string>, actor: MemberActor): Promise<boolean> =>
  (await ask(reader, managesLinks, { id, actor })).includes(true);

const newestFirst = descending(shareToken, "id");

/** Returns all tokens for something, newest first, as JSON text. */
export const pageOfSubject = (reader: TenantReader, subjectId: Id<string>, page: PageRequest) =>
  pageBody(reader, shareToken, {
    ...page,
    from: table,
    where: eq(table.subject_id, subjectId),
    orderBy: newestFirst,
  });

/** Returns JSON text, newest first: the actor's own tokens and those for a pack that they may see, or all for members who manage them. */
export async function listShareTokens(
  reader: TenantReader,
  actor: MemberActor,
  { subject_id, ...page }: ShareTokenListQuery,
) {
  const seesAll =
    permits(actor, "sharing:manage") || (subject_id !== undefined && (await managesAll(reader, subject_id, actor)));
  return pageBody(reader, shareToken, {
    ...page,
    from: table,
    where: and(
      subject_id && eq(table.subject_id, subject_id),
      seesAll ? undefined : eq(table.created_by, actor.userId),
    ),
    orderBy: newestFirst,
  });
}
