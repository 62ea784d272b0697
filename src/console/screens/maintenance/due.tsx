/** How far away an item of the maintenance program is: the nearest of its limits, and all of them as bars. */
import type { ComponentChildren } from "preact";
import type { MaintenanceItem } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatCount, formatDay, formatHours } from "../../app/format.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { maintenanceText } from "./words.ts";

export const dueTones: Record<MaintenanceItem["status"], Tone> = { ok: "good", upcoming: "warn", overdue: "bad" };
const rank: Record<MaintenanceItem["status"], number> = { overdue: 0, upcoming: 1, ok: 2 };

/** The overdue first, then what is due next by the forecast. */
export const byUrgency = (a: MaintenanceItem, b: MaintenanceItem): number =>
  rank[a.status] - rank[b.status] ||
  (a.forecast_on ?? "9999").localeCompare(b.forecast_on ?? "9999") ||
  a.name.localeCompare(b.name);

/** One limit of an item. */
interface Limit {
  kind: "hours" | "date" | "landings";
  name: string;
  used: number;
  of: number;
  isOver: boolean;
  /** What is left, or by how much it is over. */
  said: string;
  /** Without the day. */
  short: string;
}

type Limited = Pick<
  MaintenanceItem,
  "interval_hours" | "remaining_hours" | "interval_landings" | "remaining_landings" | "interval_months" | "due_on"
> & { last_done_on?: MaintenanceItem["last_done_on"] };

const daysOfMonth = 365.25 / 12;

/** The limits that are known, the nearest first. */
export function limitsOf(item: Limited): Limit[] {
  const { due: words } = maintenanceText();
  const limits: Limit[] = [];
  const { interval_hours, remaining_hours, interval_landings, remaining_landings, due_on } = item;
  const { interval_months, last_done_on } = item;
  if (interval_hours !== null && remaining_hours !== null) {
    const [of, left] = [Number(interval_hours), Number(remaining_hours)];
    const hours = formatHours(String(Math.abs(left)));
    limits.push({
      ...{ kind: "hours", name: words.hours, used: of - left, of, isOver: left < 0 },
      said: left < 0 ? words.hoursOver(hours) : words.hoursLeft(hours),
      short: left < 0 ? words.hoursOver(hours) : words.hoursShort(hours),
    });
  }
  if (due_on !== null && interval_months !== null) {
    const left = daysUntil(due_on);
    const days = formatCount(Math.abs(left));
    // An item of the forecast does not say when it was done.
    const whole = last_done_on ? left - daysUntil(last_done_on) : Math.round(interval_months * daysOfMonth);
    const of = last_done_on === null ? left : Math.max(whole, 1);
    limits.push({
      ...{ kind: "date", name: words.days, used: of - left, of, isOver: left < 0 },
      said: left < 0 ? words.daysOver(days, formatDay(due_on)) : words.daysLeft(days, formatDay(due_on)),
      short: left < 0 ? words.daysOver(days, formatDay(due_on)) : words.daysShort(days),
    });
  }
  if (interval_landings !== null && remaining_landings !== null) {
    const left = remaining_landings;
    const landings = formatCount(Math.abs(left));
    limits.push({
      ...{
        kind: "landings",
        name: words.landings,
        used: interval_landings - left,
        of: interval_landings,
        isOver: left < 0,
      },
      said: left < 0 ? words.landingsOver(landings) : words.landingsLeft(landings),
      short: left < 0 ? words.landingsOver(landings) : words.landingsShort(landings),
    });
  }
  return limits.toSorted((a, b) => b.used / b.of - a.used / a.of);
}

/** An item in a line: its nearest limit, as a state if there is something to do. */
export function DueLine({ item }: { item: MaintenanceItem }) {
  const { due: words } = maintenanceText();
  const said = limitsOf(item)[0]?.short ?? words.statuses[item.status];
  return (
    <div class="title-line">
      {item.status === "ok" ? said : <Badge tone={dueTones[item.status]}>{said}</Badge>}
      <span class="quiet small">{item.name}</span>
    </div>
  );
}

export function DueBars({ item, actions }: { item: MaintenanceItem; actions?: ComponentChildren }) {
  const { due: words } = maintenanceText();
  const limits = limitsOf(item);
  const tone = dueTones[item.status];
  return (
    <div class={actions ? "metered with-actions" : "metered"}>
      <div>
        <span class="title-line">
          <strong>{item.name}</strong>
          {item.status !== "ok" && <Badge tone={tone}>{words.statuses[item.status]}</Badge>}
          {item.past_tolerance && <span class="small">{words.pastTolerance}</span>}
        </span>
        <span class="quiet small">
          {item.last_done_on === null ? words.neverDone : words.lastDone(formatDay(item.last_done_on))}
          {item.last_done_note !== null && ` · ${item.last_done_note}`}
        </span>
      </div>
      {limits.map(({ name, used, of, isOver, said }, index) => (
        <div key={name} class="metered-line">
          <Bar
            label={`${item.name}, ${name}`}
            value={used}
            max={of}
            said={said}
            // The nearest limit has the state of the item.
            tone={isOver ? "bad" : index === 0 ? tone : "neutral"}
          />
          <span class="small">{said}</span>
        </div>
      ))}
      {actions && <div class="row-actions">{actions}</div>}
    </div>
  );
}
