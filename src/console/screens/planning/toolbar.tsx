/** Which time the board shows, and in which form. */

import type { Signal } from "@preact/signals";
import { today } from "../../app/days.ts";
import { dayAfter } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { setQuery } from "../../app/router.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import type { OpenedPart } from "./opened.tsx";
import { showDay, type View } from "./shown.ts";
import { planningText } from "./words.ts";

interface ToolbarProps {
  view: View;
  day: string;
  asTable: boolean;
  opened: Signal<OpenedPart>;
}

export function Toolbar({ view, day }: Pick<ToolbarProps, "view" | "day">) {
  const words = planningText();
  const step = view === "week" ? 7 : 1;
  const move = (by: number) => showDay(dayAfter(day, by * step));
  useShortcuts(
    [
      { key: "[", label: words.previous[view], run: () => move(-1) },
      { key: "]", label: words.next[view], run: () => move(1) },
      { key: "t", label: words.today, run: () => showDay(today()) },
      { key: "w", label: words.week, run: () => setQuery({ view: view === "week" ? undefined : "week" }) },
    ],
    [words, view, day],
  );
  return (
    <div class="actions planning-tools">
      <div class="planning-days">
        <Button icon="back" iconOnly kind="plain" shortcut="[" onClick={() => move(-1)}>
          {words.previous[view]}
        </Button>
        <Button shortcut="t" onClick={() => showDay(today())}>
          {words.today}
        </Button>
        <Button icon="next" iconOnly kind="plain" shortcut="]" onClick={() => move(1)}>
          {words.next[view]}
        </Button>
        <label class="planning-go">
          <span class="visually-hidden">{words.goTo}</span>
          <input
            class="input"
            type="date"
            value={day}
            onChange={({ currentTarget: { value } }) => {
              // While somebody types a year, it is one of the first millennium.
              if (value > "1900") showDay(value);
            }}
          />
        </label>
      </div>
      <fieldset class="segments" aria-label={words.view}>
        {(["day", "week"] as const).map((one) => (
          <Button
            key={one}
            kind="plain"
            pressed={view === one}
            onClick={() => setQuery({ view: one === "day" ? undefined : one })}
          >
            {words[one]}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

/** What else can be done with the plan. */
export function Tools({ asTable, opened }: Pick<ToolbarProps, "asTable" | "opened">) {
  const words = planningText();
  const open = (kind: "new" | "waiting" | "hours" | "weather") => () => {
    opened.value = { kind };
  };
  const manages = may("planning:manage");
  return (
    <div class="planning-bar">
      {manages && (
        <Button icon="plus" onClick={open("new")}>
          {words.newBooking}
        </Button>
      )}
      <Button kind="plain" onClick={open("waiting")}>
        {words.waiting.title}
      </Button>
      <Button kind="plain" onClick={open("hours")}>
        {words.hours.title}
      </Button>
      {manages && (
        <Button kind="plain" onClick={open("weather")}>
          {words.weather.title}
        </Button>
      )}
      <Button kind="plain" onClick={() => setQuery({ as: asTable ? undefined : "table" })}>
        {asTable ? words.asBoard : words.asTable}
      </Button>
      <Button kind="plain" icon="print" iconOnly onClick={() => print()}>
        {words.print}
      </Button>
    </div>
  );
}
