/** A sign-in in progress at a provider: started and finished once, in the same browser, within ten minutes. */
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

/** The account and session that were signed in when a flow started. */
export interface Beginner {
  userId: UserId;
  sessionId: SessionId;
}

export interface Flow {
  provider: string;
  secrets: Secrets;
  beginner: Beginner | undefined;
  redirectTo: string | null;
  /** Whether the refresh token goes into the cookie. */
  cookie: boolean;
}

interface Deps {
  control: Control;
  keys: KeyRing;
}

/** The content of `sealed`. */
const Sealed = z.object({ codeVerifier: z.string(), sessionId: idOf<"session">().optional(), cookie: z.boolean() });

/** Starts a flow. @returns the token that the browser keeps in a cookie */
export async function beginFlow({ control, keys }: Deps, flow: Flow): Promise<string> {
  const { provider, secrets, beginner, redirectTo, cookie } = flow;
  const { state, nonce, codeVerifier } = secrets;
  const browserToken = newToken();
  const stateHash = sha256(state);
  const content = JSON.stringify({
    ...{ codeVerifier, sessionId: beginner?.sessionId, cookie },
  } satisfies z.input<typeof Sealed>);
  await control.write(async (tx) => {
    await removeOldest(tx);
    await tx.insert(oauthFlows).values({
      state_hash: stateHash,
      provider,
      nonce,
      sealed: seal(keys.key("sealing"), Buffer.from(content), stateHash),
      browser_hash: sha256(browserToken),
      user_id: beginner?.userId ?? null,
      redirect_to: redirectTo,
      created_at: tx.now,
      expires_at: shift(tx.now, FLOW_LIFETIME),
    });
  });
  return browserToken;
}

/** The number of flows is not limited, so each start deletes up to two expired ones: they cannot pile up. */
const removeOldest = (tx: Tx<"control">) =>
  tx
    .delete(oauthFlows)
    .where(
      and(sql`rowid in (select rowid from ${oauthFlows} order by rowid limit 2)`, lte(oauthFlows.expires_at, tx.now)),
    );

/**
 * Marks the flow of a state as used and returns it, if this browser started it. Of concurrent attempts, one succeeds.
 *
 * @throws BAD_REQUEST the flow is unknown, expired or used, or another browser started it and can still finish it
 */
export async function takeFlow(
  { control, keys }: Deps,
  state: string,
  browserToken: string | undefined,
): Promise<Flow> {
  const stateHash = sha256(state);
  const isUnused = and(
    eq(oauthFlows.state_hash, stateHash),
    eq(oauthFlows.browser_hash, sha256(browserToken ?? "")),
    isNull(oauthFlows.used_at),
  );
  // Checked by a read first: an invalid state from a stranger must not take the write transaction.
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
  if (!row) throw badRequest("This browser has no such sign-in in progress. Start again.");
  const { provider, nonce, user_id, redirect_to } = row;
  const content = unseal(keys.key("sealing"), row.sealed, stateHash).toString();
  const { codeVerifier, sessionId, cookie } = Sealed.parse(JSON.parse(content));
  return {
    provider,
    secrets: { state, nonce, codeVerifier },
    beginner: user_id === null || sessionId === undefined ? undefined : { userId: user_id, sessionId },
    redirectTo: redirect_to,
    cookie,
  };
}
