import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeCharges } from "../finance.tables.ts";

/** Returns whom a run would invoice, sorted by name. */
export const owing = (reader: Reader<"tenant">, { currency, until }: { currency: string; until: LegalDate }) =>
  reader.values<[PersonId, string]>(sql`
    select ${people.id}, ${people.name} from ${people}
    where exists (select 1 from ${financeCharges} where ${financeCharges.person_id} = ${people.id}
      and ${financeCharges.status} = 'open' and ${financeCharges.on} <= ${until} and +${financeCharges.currency} = ${currency})
    order by ${people.name}, ${people.id}`);
