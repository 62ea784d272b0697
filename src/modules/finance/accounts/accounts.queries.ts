import { and, eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeInvoices as invoices, isOpen } from "../invoices.tables.ts";
import { visibleTo } from "../own-money.queries.ts";
import { type Account, openInvoice } from "./accounts.schemas.ts";
import { standing, standingOf } from "./standing.queries.ts";

type TenantReader = Reader<"tenant">;

/** Returns whose account it is. @throws NOT_FOUND no such person, or the actor may not see their money */
export async function requireAccount(
  reader: TenantReader,
  id: PersonId,
  actor: MemberActor,
): Promise<{ id: PersonId; name: string }> {
  const [person] = await reader
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(and(eq(people.id, id), visibleTo(actor, people.id)));
  if (person === undefined) throw notFound();
  return person;
}

/** @param currency the organization's @throws as `requireAccount` */
export async function findAccount(
  reader: TenantReader,
  { personId, actor, currency }: { personId: PersonId; actor: MemberActor; currency: string },
): Promise<Account> {
  const { id, name } = await requireAccount(reader, personId, actor);
  const found = await standingOf(reader, id);
  const isKnown = found.some((one) => one.currency === currency);
  const all = isKnown ? found : [...found, standing(currency)];
  const open = await reader.values<[string]>(sql`
    select ${openInvoice.json} from ${invoices}
    where ${invoices.person_id} = ${id} and ${isOpen} and ${invoices.kind} = 'invoice'
    order by ${invoices.due_on}, ${invoices.id} limit 100`);
  return {
    person_id: id,
    person_name: name,
    balances: all.sort((one, other) => (one.currency < other.currency ? -1 : 1)),
    open_invoices: open.map(([text]) => JSON.parse(text)),
  };
}
