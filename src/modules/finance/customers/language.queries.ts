import { sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeCustomers, financeSettings } from "../finance.tables.ts";

/** Returns the language in which the school writes to a customer: that of the customer, else of the person, else of the settings. */
export async function languageOf(reader: Reader<"tenant">, id: PersonId): Promise<Language> {
  const [customer, person, school] = await Promise.all([
    ofCustomer(reader, { id }),
    ofPerson(reader, { id }),
    languageOfSchool(reader),
  ]);
  return customer?.language ?? person?.language ?? school;
}

/** Returns the language of the school's settings. */
export const languageOfSchool = async (reader: Reader<"tenant">): Promise<Language> =>
  (await ofSettings(reader, {}))?.language ?? "en";

const ofCustomer = lookUp(
  { language: financeCustomers.language },
  sql`from ${financeCustomers} where ${financeCustomers.id} = ${sql.placeholder("id")}`,
);

const ofPerson = lookUp(
  { language: people.language },
  sql`from ${people} where ${people.id} = ${sql.placeholder("id")}`,
);

const ofSettings = lookUp(
  { language: financeSettings.language },
  sql`from ${financeSettings} where ${financeSettings.id} = 1`,
);
