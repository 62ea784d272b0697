/** The deliveries of a suspended organization wait. */
import { expect, test } from "bun:test";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { days } from "../../src/core/clock.ts";
import { checkAllDeliveries, nextDue } from "../../src/events/outbox.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { backlog, deliveryIds, hangingNetwork, newNetwork, newSetup, type School } from "./setup.ts";

/** As the intent does. */
const setSuspended = ({ tenant }: School, isSuspended: boolean) =>
  tenant.write(async (tx) => {
    await tx.update(meta).set({ suspended_at: isSuspended ? tx.now : null });
    await checkAllDeliveries(tx);
  });

const statusesOf = async (school: School) => (await school.deliveries()).map(({ status }) => status);

test("deliveries wait while their organization is suspended, and each is sent once when it is resumed", async () => {
  const at = await newSetup();
  const [school, other] = [await at.newSchool(), await at.newSchool()];
  const { sent, send, whenSent } = newNetwork();
  await setSuspended(school, true);
  await backlog(school, 2, 5);
  await backlog(other, 1, 1);
  const dispatcher = at.dispatcher(send);
  await dispatcher.start();
  await whenSent(1);
  expect(await dispatcher.sweep()).toBe(0);
  expect(await school.tenant.read((reader) => nextDue(reader))).toBeNull();
  at.clock.advance(days(40));
  expect(await dispatcher.sweep()).toBe(0);
  expect(sent).toHaveLength(1);
  expect(new Set(await statusesOf(school))).toEqual(new Set(["pending"]));

  await setSuspended(school, false);
  await whenSent(11);
  await dispatcher.stop(1000);
  expect(new Set(deliveryIds(sent)).size).toBe(11);
  expect(await statusesOf(school)).toEqual(Array.from({ length: 10 }, () => "succeeded"));
});

test("deliveries that are claimed and not sent yet are released at a suspension, and attempts in flight are recorded", async () => {
  const at = await newSetup();
  const school = await at.newSchool();
  const { sent, send, whenSent, answer } = hangingNetwork();
  const dispatcher = at.dispatcher(send, { caps: { inFlight: 1 } });
  await backlog(school, 4, 1);
  await dispatcher.start();
  await whenSent(1);
  expect(dispatcher.stats().waiting).toBe(3);
  await setSuspended(school, true);
  answer();
  while (!(await statusesOf(school)).includes("succeeded")) await yieldToEventLoop();
  await dispatcher.stop(1000);
  expect(sent).toHaveLength(1);
  expect((await statusesOf(school)).sort()).toEqual(["pending", "pending", "pending", "succeeded"]);

  const again = newNetwork();
  const next = at.dispatcher(again.send);
  await next.start();
  await setSuspended(school, false);
  await again.whenSent(3);
  await next.stop(1000);
  expect(new Set(await statusesOf(school))).toEqual(new Set(["succeeded"]));
});
