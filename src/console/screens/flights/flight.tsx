/** Everything that is known of a flight, and what may be done with it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Flight } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { formatCount, formatCounter, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, type Parameters } from "../../app/router.ts";
import { call, organization } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { failed } from "../../ui/failed.ts";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { History } from "./history.tsx";
import { hasNoTimes, nameOf, Oddities, routeOf, StatusBadge, timeOr } from "./parts.tsx";
import { Price } from "./price.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

export default function FlightPage({ flightId = "" }: Parameters) {
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/flights/{flightId}", { path: { flightId } });
  if (!data) return problem === undefined ? <Skeleton lines={8} /> : <ProblemNotice error={problem} retry={reload} />;
  const flight = data.data;
  const { flights: words } = text();
  return (
    <>
      <div class="page-head">
        <div class="title-line">
          <h1>{nameOf(flight)}</h1>
          <StatusBadge status={flight.status} />
        </div>
        <Actions flight={flight} />
      </div>
      {flight.status === "rejected" && flight.rejection_reason !== null && (
        <Reason tone="bad" lead={words.rejectedBecause}>
          {flight.rejection_reason}
        </Reason>
      )}
      {flight.reversal_reason !== null && (
        <Reason tone="warn" lead={words.reversedBecause}>
          {flight.reversal_reason}
        </Reason>
      )}
      {flight.self_approval_reason !== null && (
        <Reason tone="info" lead={words.ownApproval}>
          {flight.self_approval_reason}
        </Reason>
      )}
      <Oddities flight={flight} />
      <div class="columns">
        <div>
          <Known flight={flight} />
        </div>
        <div>
          <Price key={flight.updated_at} flight={flight} />
          <History flight={flight} />
        </div>
      </div>
    </>
  );
}

const Reason = ({ tone, lead, children }: { tone: string; lead: string; children: ComponentChildren }) => (
  <div class={`notice ${tone}`}>
    <strong>{lead}</strong>
    <span class="as-written">{children}</span>
  </div>
);

function Actions({ flight }: { flight: Flight }) {
  const { flights: words } = text();
  const isReversing = useSignal(false);
  const close = () => {
    isReversing.value = false;
  };
  const path = { flightId: flight.id };
  const form = `/app/flights/${flight.id}/edit`;
  /** Drafted by a check-in: it can't be submitted before its times are known. */
  const isBare = hasNoTimes(flight);
  const submit = async () => {
    try {
      await call("POST /orgs/{orgId}/flights/{flightId}/submit", { path });
    } catch (error) {
      if (!(error instanceof Problem) || error.issues.length === 0) throw error;
      // The form says at its fields what is missing.
      go(form);
      return toast(words.incomplete);
    }
    await changed("/flights");
    toast(words.submitted);
  };
  return (
    <div class="actions">
      {may("flights:submit") && flight.status !== "approved" && flight.status !== "reversed" && (
        <a class={isBare ? "button primary" : "button"} href={form}>
          {isBare ? words.enterTimes : words.edit}
        </a>
      )}
      {may("flights:submit") && !isBare && (flight.status === "draft" || flight.status === "rejected") && (
        <Button kind="primary" onClick={() => submit().catch(failed)}>
          {flight.status === "draft" ? words.submit : words.submitAgain}
        </Button>
      )}
      {may("flights:approve") && flight.status === "submitted" && (
        <a class="button" href={`/app/flights/approvals?flight=${flight.id}`}>
          {words.toApproval}
        </a>
      )}
      {canBeGraded(flight) && (
        <a class="button" href={`/app/training/${flight.enrollment_id}/grade?flight=${flight.id}`}>
          {words.gradeLesson}
        </a>
      )}
      {may("flights:submit") && flight.status === "reversed" && (
        <a class="button" href={`/app/flights/new?again=${flight.id}`}>
          {words.again}
        </a>
      )}
      {may("flights:reverse") && flight.status === "approved" && (
        <Button
          kind="danger"
          onClick={() => {
            isReversing.value = true;
          }}
        >
          {words.reverse}
        </Button>
      )}
      {isReversing.value && (
        <ReasonDialog
          title={words.reverseTitle}
          hint={words.reverseHint}
          action={words.reverse}
          onClose={close}
          onGive={async (reason) => {
            await call("POST /orgs/{orgId}/flights/{flightId}/reverse", { path, body: { reason } });
            close();
            await changed("/flights", "/audit-log", "/finance", "/aircraft");
            toast(words.reversed);
          }}
        />
      )}
    </div>
  );
}

/** Nobody grades their own training. */
const canBeGraded = ({ status, enrollment_id, crew }: Flight): boolean =>
  may("training:record") &&
  enrollment_id !== null &&
  (status === "submitted" || status === "approved") &&
  !crew.some((one) => one.function !== "instructor" && one.person_id === organization.value?.person_id);

function Known({ flight }: { flight: Flight }) {
  const { flights: words } = text();
  const landings = [
    flight.day_landings > 0 && `${flight.day_landings} ${words.byDay}`,
    flight.night_landings > 0 && `${flight.night_landings} ${words.atNight}`,
  ];
  const facts: [string, ComponentChildren][] = [
    [words.aircraft, `${flight.aircraft.registration} · ${flight.aircraft.model}`],
    [
      words.crew,
      <ul key="crew" class="plain-list">
        {flight.crew.map(({ person_id, name, function: as }) => (
          <li key={person_id}>
            {name} <span class="quiet">{words.functions[as]}</span>
          </li>
        ))}
      </ul>,
    ],
    [words.route, routeOf(flight)],
    [words.offBlock, timeOr(flight.off_block_at)],
    [words.takeOff, flight.take_off_at && timeOr(flight.take_off_at)],
    [words.landing, flight.landing_at && timeOr(flight.landing_at)],
    [words.onBlock, timeOr(flight.on_block_at)],
    [words.block, flight.block_minutes !== null && formatDuration(flight.block_minutes)],
    [words.airborne, flight.airborne_minutes !== null && formatDuration(flight.airborne_minutes)],
    [words.nightMinutes, flight.night_minutes > 0 && formatDuration(flight.night_minutes)],
    [words.ifrMinutes, flight.ifr_minutes > 0 && formatDuration(flight.ifr_minutes)],
    [words.landings, landings.filter(Boolean).join(", ")],
    [words.hobbs, span(flight.hobbs_start, flight.hobbs_end)],
    [words.tacho, span(flight.tacho_start, flight.tacho_end)],
    [words.nature, flight.nature && words.natures[flight.nature]],
    [words.passengers, flight.passengers > 0 && formatCount(flight.passengers)],
    [words.fuel, flight.fuel_uplift_litres && `${formatCounter(flight.fuel_uplift_litres)} l`],
    [words.oil, flight.oil_uplift_litres && `${formatCounter(flight.oil_uplift_litres)} l`],
    [words.lesson, flight.lesson],
    [words.supervisor, flight.supervisor_name],
    [words.crossCountry, flight.cross_country_km && `${formatCount(flight.cross_country_km)} km`],
    [words.fullStops, flight.full_stops_elsewhere],
    [words.remarks, flight.remarks && <span class="as-written">{flight.remarks}</span>],
    [words.workshopRemarks, flight.workshop_remarks && <span class="as-written">{flight.workshop_remarks}</span>],
  ];
  return (
    <section class="section">
      <Facts facts={facts.map(([label, value]) => ({ label, value }))} />
      {flight.imported && <p class="quiet">{words.imported}</p>}
    </section>
  );
}

const span = (start: string | null, end: string | null): string =>
  start === null && end === null
    ? ""
    : `${start === null ? "…" : formatCounter(start)} – ${end === null ? "…" : formatCounter(end)}`;
