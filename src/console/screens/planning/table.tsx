/** The board in words: for screen readers, and for everybody who reads rather than looks. */
import type { PlanningSession } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { spanOf } from "../bookings/times.ts";
import { State } from "./state.tsx";
import { planningText } from "./words.ts";

export function SessionsTable({ sessions }: { sessions: readonly PlanningSession[] }) {
  const words = planningText();
  const { today } = text();
  if (sessions.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <div class="table-frame">
      <table class="table" aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.table.when}</th>
            <th scope="col">{words.table.what}</th>
            <th scope="col">{words.table.who}</th>
            <th scope="col">{words.table.state}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row">{spanOf(session.start_at, session.end_at)}</th>
              <td data-label={words.table.what}>
                {[today.kinds[session.kind], session.lesson_name ?? session.title].filter(Boolean).join(" · ")}
              </td>
              <td data-label={words.table.who}>{session.resources.map(({ name }) => name).join(" · ")}</td>
              <td data-label={words.table.state}>
                <State session={session} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
