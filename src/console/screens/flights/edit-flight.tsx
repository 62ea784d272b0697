/** Changes a flight that is not approved yet. */
import { useEffect, useState } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { writeHours, zone } from "../../app/format.ts";
import { keptDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import type { Parameters } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { entryOf } from "./entry.ts";
import { FlightForm } from "./flight-form.tsx";
import { nameOf } from "./parts.tsx";
import { isCurrent, isKept } from "./restore.ts";
import type { Kept } from "./saving.ts";

type State = { flight: Flight; kept: Kept } | { problem: unknown } | undefined;

export default function EditFlight({ flightId = "" }: Parameters) {
  const { flights: words } = text();
  const [state, setState] = useState<State>();
  useEffect(() => {
    start(flightId).then(setState, (problem) => setState({ problem }));
  }, [flightId]);
  if (!state) return <Skeleton lines={8} />;
  if ("problem" in state) return <ProblemNotice error={state.problem} />;
  const { flight, kept } = state;
  if (flight.status === "approved" || flight.status === "reversed")
    return (
      <Empty
        title={nameOf(flight)}
        action={
          <a class="button" href={`/app/flights/${flight.id}`}>
            {text().actions.open}
          </a>
        }
      >
        {words.cannotEdit}
      </Empty>
    );
  return (
    <>
      <div class="page-head">
        <h1>{nameOf(flight)}</h1>
      </div>
      <FlightForm draft={`flights/${flight.id}`} start={kept} known={flight} />
    </>
  );
}

async function start(flightId: string): Promise<State> {
  const { data: flight } = await call("GET /orgs/{orgId}/flights/{flightId}", { path: { flightId } });
  const kept = await keptDraft(`flights/${flightId}`);
  if (isKept(kept) && isCurrent(kept, flight)) return { flight, kept };
  return { flight, kept: { entry: entryOf(flight, zone(), writeHours), flightId, savedAt: flight.updated_at } };
}
