/** What runs out when, as marks over a line of time. The table below says the same in words. */
import type { ComplianceRecord, RecordType } from "../../api/operations.ts";
import { daysAgo, daysUntil } from "../../app/days.ts";
import { formatMonth } from "../../app/format.ts";
import type { Tone } from "../../ui/badge.tsx";
import { nameOfRecord } from "./name-of-record.ts";
import { complianceText } from "./words.ts";

/** Columns of marks. */
const columns = 30;
/** Marks of a column: more are counted. */
const most = 10;

interface TimelineProps {
  records: readonly ComplianceRecord[];
  types: readonly RecordType[];
  toneOf: (record: ComplianceRecord) => Tone;
  /** Days before today, and from today on. */
  past: number;
  ahead: number;
  onOpen: (record: ComplianceRecord) => void;
}

export function Timeline({ records, types, toneOf, past, ahead, onOpen }: TimelineProps) {
  const words = complianceText();
  const length = past + ahead;
  const placed = Map.groupBy(records, ({ valid_until }) =>
    Math.min(columns - 1, Math.floor(((daysUntil(valid_until ?? "") + past) / length) * columns)),
  );
  const count = (tone: Tone) => records.filter((one) => toneOf(one) === tone).length;
  return (
    <figure class="timeline">
      {/* The marks are for the mouse and the eye: each record is a row of the table. */}
      <div class="marks" aria-hidden="true">
        {Array.from({ length: columns }, (_, column) => {
          const found = placed.get(column) ?? [];
          return (
            <div key={column}>
              {found.slice(0, most).map((record) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the row of the table does the same
                // biome-ignore lint/a11y/noStaticElementInteractions: as above
                <span
                  key={record.id}
                  class={`mark ${toneOf(record)} ${record.person ? "person" : "plane"}`}
                  title={`${record.person?.name ?? record.aircraft?.registration}: ${nameOfRecord(types, record)}`}
                  onClick={() => onOpen(record)}
                />
              ))}
              {found.length > most && <span class="more">+{found.length - most}</span>}
            </div>
          );
        })}
        <span class="now" style={{ insetInlineStart: `${(past / length) * 100}%` }} />
      </div>
      <div class="months" aria-hidden="true">
        {monthsIn(past, ahead).map(({ day, at }) => (
          <span key={day} style={{ insetInlineStart: `${at * 100}%` }}>
            {formatMonth(day)}
          </span>
        ))}
      </div>
      <figcaption class="legend quiet small">
        <span>{words.expiredCount(count("bad"))}</span>
        <span>{words.soonCount(count("warn"))}</span>
        <span>{words.laterCount(count("info"))}</span>
        <span aria-hidden="true">
          <span class="mark info person" /> {words.person} <span class="mark info plane" /> {words.plane}
        </span>
      </figcaption>
    </figure>
  );
}

/** Returns the first days of the months, and how far along they are. As many as have room. */
function monthsIn(past: number, ahead: number): { day: string; at: number }[] {
  const start = daysAgo(past);
  const [year = 0, month = 1] = start.split("-").map(Number);
  const every = ahead > 200 ? 3 : 1;
  return Array.from({ length: 6 }, (_, index) => {
    const day = new Date(Date.UTC(year, month + index * every, 1)).toISOString().slice(0, 10);
    return { day, at: (daysUntil(day) + past) / (past + ahead) };
  }).filter(({ at }) => at < 0.92);
}
