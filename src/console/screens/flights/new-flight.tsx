/** A new flight. What was typed earlier and not sent is there again. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { dayOf } from "../../app/format.ts";
import { forgetDraft, keptDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { nothing } from "./entry.ts";
import { FlightForm } from "./flight-form.tsx";
import { isCurrent, isKept } from "./restore.ts";
import type { Kept } from "./saving.ts";

const draft = "flights/new";

interface Start {
  kept: Kept;
  flight?: Flight;
  isRestored: boolean;
}

const empty = (): Start => ({
  kept: { entry: { typed: { ...nothing, day: dayOf(new Date()) }, crew: [{ person: "", function: "pic" }] } },
  isRestored: false,
});

export default function NewFlight() {
  const { flights: words } = text();
  const [start, setStart] = useState<Start>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    void restore().then(setStart);
  }, []);
  const again = useMemo(
    () => async () => {
      await forgetDraft(draft);
      setStart(empty());
      setRound((before) => before + 1);
    },
    [],
  );
  return (
    <>
      <div class="page-head">
        <h1>{words.add}</h1>
      </div>
      {start?.isRestored && (
        <div class="notice info" role="status">
          <span>{words.restored}</span>
          <div>
            <Button onClick={again}>{words.startOver}</Button>
          </div>
        </div>
      )}
      {start ? (
        <FlightForm key={round} draft={draft} start={start.kept} known={start.flight} />
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  );
}

async function restore(): Promise<Start> {
  const kept = await keptDraft(draft);
  if (!isKept(kept)) return empty();
  if (kept.flightId === undefined) return { kept, isRestored: true };
  const path = { flightId: kept.flightId };
  try {
    const { data: flight } = await call("GET /orgs/{orgId}/flights/{flightId}", { path });
    if (isCurrent(kept, flight)) return { kept, flight, isRestored: true };
  } catch {
    // Without a connection it goes on with what is kept.
    return { kept, isRestored: true };
  }
  await forgetDraft(draft);
  return empty();
}
