/** Times, durations, counters and money in both languages. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Me } from "../../src/console/api/operations.ts";
import { alternatives } from "../../src/console/app/alternatives.ts";

/** What the console's modules find in a browser. */
const browser = { localStorage: new Map(), navigator: { languages: ["en"] }, location: { pathname: "/", search: "" } };
Object.assign(browser.localStorage, { getItem: () => null, setItem: () => undefined });
const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
Object.assign(globalThis, { localStorage: browser.localStorage });
const { state } = await import("../../src/console/app/session.ts");
const { language } = await import("../../src/console/app/language.ts");
const format = await import("../../src/console/app/format.ts");
if (before) Object.defineProperty(globalThis, "localStorage", before);
else Reflect.deleteProperty(globalThis, "localStorage");

const org = { id: "1", name: "Windy Hill", time_zone: "Europe/Berlin", currency: "EUR", roles: [], permissions: [] };
beforeEach(() => {
  state.value = { kind: "signed-in", me: { organizations: [org] } as unknown as Me };
});
afterEach(() => {
  state.value = { kind: "signed-out" };
  language.value = "en";
  format.inUtc.value = false;
});

describe("in the school's zone", () => {
  test("an instant has the day and the time of the school, or of UTC", () => {
    expect(format.formatDateTime("2026-06-14T22:30:00.000Z")).toBe("15/06/2026 00:30");
    language.value = "de";
    expect(format.formatDateTime("2026-01-14T23:30:00.000Z")).toBe("15.01.2026 00:30");
    format.inUtc.value = true;
    expect(format.formatDateTime("2026-01-14T23:30:00.000Z")).toBe("14.01.2026 23:30Z");
  });

  test("a legal date is the same everywhere", () => {
    expect(format.formatDay("2026-06-15")).toBe("15/06/2026");
    expect(format.formatWeekday("2026-06-15")).toBe("Mon 15 June");
    expect(format.dayOf(new Date("2026-06-14T22:30:00.000Z"))).toBe("2026-06-15");
    language.value = "de";
    expect(format.formatDay("2026-06-15")).toBe("15.06.2026");
  });
});

test("a duration has hours and minutes, a counter two places", () => {
  expect([0, 5, 62, 600, -90].map(format.formatDuration)).toEqual(["0:00", "0:05", "1:02", "10:00", "−1:30"]);
  // What is left of an interval is a duration, and reads as one beside the times of flights.
  expect(["1.30", "100.00", "-0.50"].map(format.formatHours)).toEqual(["1:18", "100:00", "−0:30"]);
  expect(format.formatCounter("1234.5")).toBe("1,234.50");
  expect(format.formatCount(12_345)).toBe("12,345");
  expect(format.formatDuration(79_236)).toBe("1,320:36");
  language.value = "de";
  expect(format.formatCounter("1234.50")).toBe("1.234,50");
  expect(format.formatDuration(79_236)).toBe("1.320:36");
});

test("an amount has the places of its currency, whatever the browser thinks of it", () => {
  const amounts = () => [
    format.formatMoney(9300, "EUR"),
    format.formatMoney(9300, "HUF"),
    format.formatMoney(93, "ISK"),
  ];
  expect(amounts()).toEqual(["€93.00", "HUF\u00a093.00", "ISK\u00a093"]);
  language.value = "de";
  expect(amounts()).toEqual(["93,00\u00a0€", "93,00\u00a0HUF", "93\u00a0ISK"]);
});

test("names are sorted as people look for them", () => {
  expect(["Zoe", "Łukasz", "Ärmel", "Max"].sort(format.compareTexts)).toEqual(["Ärmel", "Łukasz", "Max", "Zoe"]);
});

test.each([
  [["Class rating SEP", "Class rating TMG", "Class rating MEP"], "Class rating SEP or TMG or MEP"],
  [["Class rating SEP", "Instrument rating"], "Class rating SEP or Instrument rating"],
  [["SEP", "TMG"], "SEP or TMG"],
  [["Medical certificate"], "Medical certificate"],
])("what several names begin with is said once: %p", (names, expected) => {
  expect(alternatives(names, " or ")).toBe(expected);
});
