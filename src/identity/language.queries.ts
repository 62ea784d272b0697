import { sql } from "drizzle-orm";
import type { UserId } from "../core/ids.ts";
import type { Language } from "../core/languages.ts";
import type { Context } from "../storage/context.ts";
import { lookUp } from "../storage/lookup.ts";
import { users } from "./identity.tables.ts";

const byId = lookUp({ language: users.language }, sql`from ${users} where ${users.id} = ${sql.placeholder("id")}`);

/** Returns the language of an account; undefined if it is no more. */
export const accountLanguage = async (
  { control }: Pick<Context, "control">,
  id: UserId,
): Promise<Language | undefined> => (await control.read((reader) => byId(reader, { id })))?.language;

interface About {
  language: Language | null;
  user_id: UserId | null;
}

/** Returns the language of a document about a person: as the school entered it, or else that of their account, or of who asked for it. */
export const documentLanguage = async (
  context: Pick<Context, "control">,
  { language, user_id }: About,
  askedBy: UserId,
): Promise<Language> =>
  language ??
  (user_id && (await accountLanguage(context, user_id))) ??
  (await accountLanguage(context, askedBy)) ??
  "en";
