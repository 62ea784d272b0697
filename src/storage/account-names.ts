/** The names of accounts in a school's file: who acts there is named from their first write on. */
import { inArray, sql } from "drizzle-orm";
import type { Actor } from "../core/actor.ts";
import type { UserId } from "../core/ids.ts";
import { lookUp } from "./lookup.ts";
import type { DataSubject } from "./personal-data.ts";
import { eraseFromTexts } from "./personal-texts.ts";
import type { Tx } from "./store.ts";
import { accountNames as table } from "./tenant.tables.ts";

interface Account {
  id: UserId;
  name: string;
}

const known = lookUp({ name: table.name }, sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);
const kept = sql`insert into ${table} (id, name) values (${sql.placeholder("id")}, ${sql.placeholder("name")})
  on conflict (id) do update set name = excluded.name`;
const changed = sql`update ${table} set name = ${sql.placeholder("name")} where id = ${sql.placeholder("id")}`;

/** Returns a posting that keeps the name of the actor's account, unless it is known: a session's writes begin with it. */
export const nameActor =
  (actor: Actor) =>
  async (tx: Tx<"tenant">): Promise<void> => {
    if (actor.kind !== "user") return;
    const { userId: id, name } = actor;
    if ((await known(tx, { id }))?.name !== name) await tx.each(kept, [{ id, name }]);
  };

/** Posting: gives an account its new name, if it has written here. */
export const renameAccount = async (tx: Tx<"tenant">, { id, name }: Account): Promise<void> => {
  await tx.each(changed, [{ id, name }]);
};

/** Posting: what a person's accounts have written is no longer named, nor what others of the same name have. */
export async function forgetAccounts(tx: Tx<"tenant">, subject: DataSubject): Promise<void> {
  await tx.delete(table).where(inArray(table.id, [...subject.userIds]));
  await eraseFromTexts(tx, table, ["name"], subject);
}
