import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeCharges } from "../finance.tables.ts";

/** Returns whom a run would invoice, in which currency, sorted by name. */
export const owing = (reader: Reader<"tenant">, { until }: { until: LegalDate }) =>
  reader.values<[PersonId, string, string]>(sql`
    select ${people.id}, ${people.name}, open.currency from ${people}
    join (select distinct ${financeCharges.person_id}, ${financeCharges.currency} from ${financeCharges}
      where ${financeCharges.status} = 'open' and ${financeCharges.on} <= ${until}) as open on open.person_id = ${people.id}
    order by ${people.name}, ${people.id}, open.currency`);
