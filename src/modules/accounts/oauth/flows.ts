/** A sign-in that is under way at a provider: begun once, ended once, in the same browser, within ten minutes. */
import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { minutes, shift } from "../../../core/clock.ts";
import { type KeyRing, newToken, seal, sha256, unseal } from "../../../core/crypto.ts";
import { badRequest } from "../../../core/errors.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import { idOf } from "../../../http/fields.ts";
import type { Control, Tx } from "../../../storage/store.ts";
import { oauthFlows } from "./oauth.tables.ts";
import type { Secrets } from "./provider.ts";

export const FLOW_LIFETIME = minutes(10);

/** Who was signed in when a flow began, and in which session. */
export interface Beginner {
  userId: UserId;
  sessionId: SessionId;
}

export interface Flow {
  provider: string;
  secrets: Secrets;
  beginner: Beginner | undefined;
  redirectTo: string | null;
}

interface Deps {
  control: Control;
  keys: KeyRing;
}

/** What is in `sealed`: the session that began the flow is needed at its end, and of nobody else's concern. */
const Sealed = z.object({ codeVerifier: z.string(), sessionId: idOf<"session">().optional() });

/** @returns the mark that the browser has to bring back */
export async function beginFlow({ control, keys }: Deps, flow: Flow): Promise<string> {
  const { provider, secrets, beginner, redirectTo } = flow;
  const { state, nonce, codeVerifier } = secrets;
  const mark = newToken();
  const stateHash = sha256(state);
  const kept = JSON.stringify({ codeVerifier, sessionId: beginner?.sessionId } satisfies z.input<typeof Sealed>);
  await control.write(async (tx) => {
    await removeOldest(tx);
    await tx.insert(oauthFlows).values({
      state_hash: stateHash,
      provider,
      nonce,
      sealed: seal(keys.key("sealing"), Buffer.from(kept), stateHash),
      browser_hash: sha256(mark),
      user_id: beginner?.userId ?? null,
      redirect_to: redirectTo,
      created_at: tx.now,
      expires_at: shift(tx.now, FLOW_LIFETIME),
    });
  });
  return mark;
}

/** Anybody may begin as many as they like, so each that begins takes two away that are over: they can't pile up. */
const removeOldest = (tx: Tx<"control">) =>
  tx
    .delete(oauthFlows)
    .where(
      and(sql`rowid in (select rowid from ${oauthFlows} order by rowid limit 2)`, lte(oauthFlows.expires_at, tx.now)),
    );

/**
 * Takes the flow of a state, if this browser began it. Of any number of attempts one gets it.
 *
 * @throws BAD_REQUEST it is not known, over, or taken, or it is another browser's; that one can still end it
 */
export async function takeFlow({ control, keys }: Deps, state: string, mark: string | undefined): Promise<Flow> {
  const stateHash = sha256(state);
  const isUnused = and(
    eq(oauthFlows.state_hash, stateHash),
    eq(oauthFlows.browser_hash, sha256(mark ?? "")),
    isNull(oauthFlows.used_at),
  );
  // Anybody may come with anything: what is not there is not worth the one transaction that all writers wait for.
  const [seen] = await control.read((reader) => reader.select().from(oauthFlows).where(isUnused));
  const [row] = seen
    ? await control.write((tx) =>
        tx
          .update(oauthFlows)
          .set({ used_at: tx.now })
          .where(and(isUnused, gt(oauthFlows.expires_at, tx.now)))
          .returning(),
      )
    : [];
  if (!row) throw badRequest("This browser has no such sign-in under way: begin again.");
  const { provider, nonce, user_id: userId, redirect_to: redirectTo } = row;
  const kept = unseal(keys.key("sealing"), row.sealed, stateHash).toString();
  const { codeVerifier, sessionId } = Sealed.parse(JSON.parse(kept));
  return {
    provider,
    secrets: { state, nonce, codeVerifier },
    beginner: userId === null || sessionId === undefined ? undefined : { userId, sessionId },
    redirectTo,
  };
}
