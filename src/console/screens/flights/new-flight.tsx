/** A new flight. What was typed earlier and not sent is there again. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { dayOf, writeHours, zone } from "../../app/format.ts";
import { forgetDraft, keptDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import { place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { type Entry, entryOf, nothing } from "./entry.ts";
import { FlightForm } from "./flight-form.tsx";
import { isCurrent, isKept } from "./restore.ts";
import type { Kept } from "./saving.ts";

const draft = "flights/new";

interface Start {
  kept: Kept;
  flight?: Flight;
  isRestored: boolean;
}

const started = (entry: Entry): Start => ({ kept: { entry }, isRestored: false });

const nobody = [{ person: "", function: "pic" }];

const empty = (): Start => started({ typed: { ...nothing, day: dayOf(new Date()) }, crew: nobody });

/** A log is entered line by line: the next flight is of the same day and aircraft, and from where that one went. */
function following(flight: Flight): Start {
  const { typed } = entryOf(flight, zone(), writeHours);
  const { day, aircraft, arrival } = typed;
  return started({ typed: { ...nothing, day, aircraft, departure: arrival }, crew: nobody });
}

/** What was reversed is entered again, with what was wrong about it. */
function again(flight: Flight): Start {
  const { typed, crew } = entryOf(flight, zone(), writeHours);
  return started({ typed, crew });
}

export default function NewFlight() {
  const { flights: words } = text();
  const [start, setStart] = useState<Start>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    void restore().then(setStart);
  }, []);
  const startOver = useMemo(
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
            <Button onClick={startOver}>{words.startOver}</Button>
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
  if (!isKept(kept)) return asked();
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
  return asked();
}

/** What the address asks for: the flight after one, or one once more. */
async function asked(): Promise<Start> {
  const { query } = place.peek();
  const [after, like] = [query.get("after"), query.get("again")];
  const flightId = after ?? like;
  if (flightId === null) return empty();
  try {
    const { data } = await call("GET /orgs/{orgId}/flights/{flightId}", { path: { flightId } });
    return after === null ? again(data) : following(data);
  } catch {
    return empty();
  }
}
