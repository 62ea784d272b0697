import type { Language } from "../../../core/languages.ts";
import { documentLanguage } from "../../../identity/language.queries.ts";
import type { Context } from "../../../storage/context.ts";
import type { Tenant } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { PackRow } from "./packs.queries.ts";

/** Returns the language of a pack: that of the person it is about, or else of who asked for it. */
export async function packLanguage(
  { control, tenant }: Pick<Context, "control"> & { tenant: Pick<Tenant, "read"> },
  { person_id, requested_by }: Pick<PackRow, "person_id" | "requested_by">,
): Promise<Language> {
  const person = person_id && (await tenant.read((reader) => findPersonRow(reader, person_id)));
  return documentLanguage({ control }, person || { language: null, user_id: null }, requested_by);
}
