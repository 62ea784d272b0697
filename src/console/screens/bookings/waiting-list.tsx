/** What the caller waits for, and what became free for them. */
import { useSignal } from "@preact/signals";
import type { PlanningWish } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { formatDate, formatDateTime, formatDay, lastDay } from "../../app/format.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { BookDialog, type Chosen } from "./book-dialog.tsx";
import { spanOf } from "./times.ts";
import { bookingText } from "./words.ts";

/** It shows nothing to those who wait for nothing. */
export function WaitingList({ personId }: { personId: string }) {
  const words = bookingText();
  const taking = useSignal<Chosen | undefined>(undefined);
  const { data } = useResource("GET /orgs/{orgId}/planning/wishes", { query: { person_id: personId, limit: 20 } });
  const wishes = (data?.data ?? []).filter(({ status }) => status === "waiting" || status === "offered");
  if (wishes.length === 0) return null;

  const end = async (wish: PlanningWish, how: "decline" | "withdraw", said: string) => {
    const path = { wishId: wish.id };
    await act(`POST /orgs/{orgId}/planning/wishes/{wishId}/${how}`, { path }, wish);
    await changed("/planning/wishes");
    toast(said);
  };
  const take = (wish: PlanningWish) => {
    taking.value = offerOf(wish);
  };
  return (
    <Section title={words.waiting}>
      <Rows
        label={words.waiting}
        empty=""
        rows={wishes.map((wish) => {
          const offer = offerOf(wish);
          return {
            id: wish.id,
            title: offer
              ? spanOf(offer.start_at, offer.end_at)
              : words.between(formatDate(wish.from_at), formatDay(lastDay(wish.until_at))),
            detail: offer
              ? [
                  offer.aircraft?.registration,
                  offer.instructor_name,
                  wish.offered_until && words.offeredUntil(formatDateTime(wish.offered_until)),
                ]
                  .filter(Boolean)
                  .join(" · ")
              : [words.waitsFor(wish.minutes, wish.icao_type ?? words.anything), wish.instructor_name]
                  .filter(Boolean)
                  .join(" · "),
            aside: offer ? (
              <>
                <Badge tone="good">{words.offered}</Badge>
                <Button onClick={() => take(wish)}>{words.take}</Button>
                <Button kind="plain" onClick={() => end(wish, "decline", words.declined).catch(failed)}>
                  {words.decline}
                </Button>
              </>
            ) : (
              <Button kind="plain" onClick={() => end(wish, "withdraw", words.withdrawn).catch(failed)}>
                {words.withdraw}
              </Button>
            ),
          };
        })}
      />
      {taking.value && (
        <BookDialog
          chosen={taking.value}
          personId={personId}
          onClose={() => {
            taking.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

/** What became free, as a time that can be booked: the first that is as long as was wished, since more may be free. */
export function offerOf(wish: PlanningWish): Chosen | undefined {
  const { status, minutes, offered_start_at, offered_aircraft_id, offered_aircraft_registration } = wish;
  if (status !== "offered" || offered_start_at === null) return undefined;
  return {
    start_at: offered_start_at,
    end_at: new Date(Date.parse(offered_start_at) + minutes * 60_000).toISOString(),
    aircraft:
      offered_aircraft_id === null
        ? null
        : { id: offered_aircraft_id, registration: offered_aircraft_registration ?? "" },
    instructor_id: wish.offered_instructor_id,
    instructor_name: wish.offered_instructor_name,
  };
}
