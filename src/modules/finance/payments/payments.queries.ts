import { and, eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { visibleTo } from "../own-money.queries.ts";
import { type PaymentId, financePayments as table } from "../payments.tables.ts";
import { type Payment, payment } from "./payments.schemas.ts";

/** Its reads do not check the actor. */
export const paymentEntity = entityOf("finance_payment", { table, shape: payment, path: { paymentId: table.id } });

export interface PaymentFilter {
  person_id?: PersonId | undefined;
  from?: LegalDate | undefined;
  to?: LegalDate | undefined;
}

const newestFirst = descending(payment, "received_on", "id");

/** Returns JSON text, the newest day first. */
export const listPayments = (
  reader: Reader<"tenant">,
  actor: MemberActor,
  { person_id, from, to, ...page }: PaymentFilter & PageRequest,
) =>
  pageBody(reader, payment, {
    ...page,
    from: table,
    where: and(
      person_id && eq(table.person_id, person_id),
      from && sql`${table.received_on} >= ${from}`,
      to && sql`${table.received_on} < ${to}`,
      visibleTo(actor, table.person_id),
    ),
    orderBy: newestFirst,
  });

/** @throws NOT_FOUND no such payment, or the actor may not see it */
export const findPayment = (reader: Reader<"tenant">, id: PaymentId, actor: MemberActor): Promise<JsonOf<Payment>> =>
  resourceJson(reader, payment, { from: table, where: and(eq(table.id, id), visibleTo(actor, table.person_id)) });
