/** The last look before a booking: when, with whom, what it costs and what speaks against it, as the booking itself would say. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NewPlanningSession, PlanningDryRun, PlanningSlot } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { CostLines } from "../flights/price.tsx";
import { isAtNight } from "./night.ts";
import { Refusal, Sentences } from "./refusal.tsx";
import { spanOf } from "./times.ts";
import { bookingText } from "./words.ts";

export type Chosen = PlanningSlot;

interface BookDialogProps {
  chosen: Chosen;
  /** What is trained then. */
  lessonId?: string | undefined;
  personId: string;
  onClose: () => void;
}

export function BookDialog({ chosen, lessonId, personId, onClose }: BookDialogProps) {
  const words = bookingText();
  const { flights } = text();
  const tried = useSignal<PlanningDryRun | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const resources = useResource("GET /orgs/{orgId}/planning/resources");
  const isKnown = resources.data !== undefined || resources.problem !== undefined;
  const night = chosen.aircraft !== null && isAtNight(chosen, resources.data?.data.home);
  const body: NewPlanningSession = {
    kind: chosen.instructor_id === null ? "flight" : "lesson",
    start_at: chosen.start_at,
    end_at: chosen.end_at,
    aircraft_id: chosen.aircraft?.id ?? null,
    instructor_id: chosen.instructor_id,
    student_ids: [personId],
    ...(lessonId !== undefined && { lesson_id: lessonId }),
    ...(night && { night }),
  };
  useEffect(() => {
    if (!isKnown) return;
    call("POST /orgs/{orgId}/planning/sessions/dry-run", { body }).then(
      ({ data }) => {
        tried.value = data;
      },
      (error) => {
        problem.value = error;
      },
    );
  }, [isKnown]);
  const book = async () => {
    const { data } = await call("POST /orgs/{orgId}/planning/sessions", { body });
    onClose();
    go("/app/bookings");
    await changed("/planning", "/today");
    toast(data.status === "requested" ? words.requested : words.booked);
  };
  const checks = tried.value?.checks ?? [];
  const price = tried.value?.price;
  const named = [
    { id: chosen.aircraft?.id, name: chosen.aircraft?.registration },
    { id: chosen.instructor_id, name: chosen.instructor_name },
  ].flatMap(({ id, name }) => (id && name ? [{ id, name }] : []));
  return (
    <Dialog title={words.confirmTitle} onClose={onClose}>
      <Form onSubmit={book}>
        <Facts
          facts={[
            { label: words.when, value: spanOf(chosen.start_at, chosen.end_at) },
            { label: words.aircraft, value: chosen.aircraft?.registration },
            { label: words.withInstructor, value: chosen.instructor_name },
            { label: words.light, value: night && words.atNight },
            { label: words.lesson, value: tried.value?.session.lesson_name },
          ]}
        />
        {problem.value !== undefined && <Refusal error={problem.value} named={named} />}
        {tried.value === undefined && problem.value === undefined && <Skeleton lines={3} />}
        {price && (
          <section class="amounts" aria-label={flights.cost}>
            <CostLines cost={price} />
            <p class="quiet small">{words.priceHint}</p>
          </section>
        )}
        {checks.length > 0 && (
          <div class="notice warn">
            <strong>{words.warns}</strong>
            <Sentences all={checks} named={named} />
          </div>
        )}
        <div class="form-actions">
          {tried.value !== undefined && <Submit busyText={words.booking}>{words.bookIt}</Submit>}
        </div>
      </Form>
    </Dialog>
  );
}
