import { expect, test } from "bun:test";
import { seconds, shift } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { Agenda } from "../../src/events/agenda.ts";
import { TestClock } from "../support/clock.ts";
import { nowOf } from "./office.ts";

test("Agenda has whoever is ready, starved, or due by then", () => {
  const clock = new TestClock();
  const [now, orgId] = [nowOf(clock), newId<"organization">(clock)];
  const later = shift(now, seconds(5));
  const agenda = new Agenda();
  const has = () => [agenda.has(orgId, now), agenda.has(orgId, later)];
  expect(has()).toEqual([false, false]);
  agenda.add(orgId, later);
  expect(has()).toEqual([false, true]);
  agenda.advance(later);
  expect([agenda.next, agenda.hasReady, ...has()]).toEqual([undefined, true, true, true]);
  expect([agenda.take(), ...has()]).toEqual([orgId, false, false]);
  agenda.starve(orgId);
  expect(has()).toEqual([true, true]);
  expect([agenda.feed(), agenda.feed(), agenda.hasReady]).toEqual([true, false, true]);
  agenda.starve(orgId);
  agenda.clear();
  expect(has()).toEqual([false, false]);
});

test("of those to be looked into later, Agenda names those that are known to have deliveries", () => {
  const clock = new TestClock();
  const agenda = new Agenda();
  const [mayHave, has] = [newId<"organization">(clock), newId<"organization">(clock)];
  const later = shift(nowOf(clock), seconds(5));
  agenda.add(mayHave, later);
  agenda.expect(has, later);
  expect([agenda.expected, ...agenda.organizations()]).toEqual([1, has]);
  agenda.advance(later);
  expect(new Set(agenda.organizations())).toEqual(new Set([mayHave, has]));
  expect([agenda.take(), agenda.take()].sort()).toEqual([mayHave, has].sort());
  expect([agenda.expected, ...agenda.organizations()]).toEqual([0]);
});
