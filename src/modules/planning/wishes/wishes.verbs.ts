import { and, eq, inArray } from "drizzle-orm";
import { type Actor, authorize, permits } from "../../../core/actor.ts";
import { minutes, shift, toInstant } from "../../../core/clock.ts";
import { conflict, forbidden, invalid, wrongStatus } from "../../../core/errors.ts";
import { type Id, newId } from "../../../core/ids.ts";
import type { InOrganization, TenantContext } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { planningWishes as table } from "../planning.tables.ts";
import { maxSessionLength } from "../rules/duty.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import { endOffer } from "./settle-offers.ts";
import { lapsedOffers, pastWishes, requireWish, type WishRow, wishEntity } from "./wishes.queries.ts";
import type { NewWish } from "./wishes.schemas.ts";

/** Wishes of one person that wait. */
const most = 20;

/** @throws VALIDATION_ERROR; FORBIDDEN another person; CONFLICT they are archived or have too many wishes */
export async function addWish(context: InOrganization, input: NewWish) {
  const { actor, tenant, clock } = context;
  authorize(actor, "planning:book", "planning:manage");
  return tenant.write(async (tx) => {
    const { from_at, until_at, minutes: length, person_id, instructor_id } = input;
    if (!permits(actor, "planning:manage") && (await ownPerson(tx, actor)) !== person_id)
      throw forbidden("not_own_session", "You may wait only for yourself.");
    if (until_at <= from_at || until_at <= tx.now || until_at >= "2200")
      throw invalid({ path: "until_at", code: "impossible", message: "Must be after `from_at` and now, before 2200." });
    if (shift(from_at, maxSessionLength) < until_at)
      throw invalid({
        path: "until_at",
        code: "too_many_days",
        params: { max: 31 },
        message: "The time window is at most 31 days long.",
      });
    if (shift(from_at, minutes(length)) > until_at)
      throw invalid({ path: "minutes", code: "impossible", message: "Must not be longer than the time window." });
    for (const [path, id] of [
      ["person_id", person_id],
      ["instructor_id", instructor_id],
    ] as const) {
      const person = id === null ? null : await findPersonRow(tx, id);
      if (person === undefined) throw invalid({ path, code: "unknown", message: "There is no such person." });
      if (person?.status === "archived") throw conflict("person_archived", "The person is archived.");
      if (path === "instructor_id" && person && !person.types.includes("instructor"))
        throw invalid({ path, code: "impossible", message: "The person is no instructor." });
    }
    const isOpen = and(eq(table.person_id, person_id), inArray(table.status, ["waiting", "offered"]));
    if ((await tx.$count(table, isOpen)) >= most)
      throw conflict("limit_reached", `A person has at most ${most} wishes. Withdraw one first.`, { max: most });
    const row = {
      id: newId<"wish">(clock),
      ...input,
      status: "waiting",
      created_at: tx.now,
      updated_at: tx.now,
    } as const;
    return addRow(tx, context, wishEntity, { action: "planning_wish.created", row });
  });
}

type Ref = { wishId: Id<"wish"> };

/** The person waits no longer. What they were offered goes to the next. @throws NOT_FOUND; CONFLICT they wait no longer */
export const withdrawWish = (context: InOrganization, ref: Ref) => leave(context, ref, "withdrawn");

/** The person does not want what they were offered, and waits on. @throws NOT_FOUND; CONFLICT nothing is offered */
export const declineOffer = (context: InOrganization, ref: Ref) => leave(context, ref, "waiting");

const leave = (context: InOrganization, { wishId }: Ref, status: "waiting" | "withdrawn") =>
  context.tenant.write(async (tx) => {
    const wish = await requireWish(tx, wishId, context.actor, "planning:manage");
    const from: readonly WishRow["status"][] = status === "waiting" ? ["offered"] : ["waiting", "offered"];
    if (!from.includes(wish.status)) throw wrongStatus("wish", wish.status, ...from);
    const action = status === "waiting" ? "declined" : "withdrawn";
    await endOffer(tx, context, wish, { status, action, after: wish.id });
    return wishEntity.read(tx, wishId);
  });

/** Passes on what was offered and not booked in time. @returns how many offers */
export const passOnLapsed = (context: TenantContext<Actor>): Promise<number> =>
  inBatches(context.tenant, {
    next: (reader) => lapsedOffers(reader, toInstant(context.clock.now())),
    async work(tx, rows) {
      for (const wish of rows)
        await endOffer(tx, context, wish, { status: "waiting", action: "lapsed", after: wish.id });
      return rows.length;
    },
  });

/** Ends the wishes whose time is over. @returns how many */
export const endPastWishes = (context: TenantContext<Actor>): Promise<number> =>
  inBatches(context.tenant, {
    next: (reader) => pastWishes(reader, toInstant(context.clock.now())),
    async work(tx, rows) {
      for (const wish of rows) await endOffer(tx, context, wish, { status: "expired", action: "expired" });
      return rows.length;
    },
  });
