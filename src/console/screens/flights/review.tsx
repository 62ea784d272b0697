/** A flight under review: what an approver compares, what is odd, and the decision. */
import type { Signal } from "@preact/signals";
import type { Flight } from "../../api/operations.ts";
import { formatCounter, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { Oddities, timeOr } from "./parts.tsx";
import { Price } from "./price.tsx";

type Rule = Flight["findings"][number]["rule"];

interface ReviewProps {
  flight: Flight;
  /** The rules that block. */
  blocking: readonly Rule[];
  acknowledged: Signal<ReadonlySet<Rule>>;
  isAcknowledgementMissing: boolean;
  /** Why the approval was refused. */
  refusal: unknown;
  onApprove: () => Promise<unknown>;
  onReject: () => void;
}

export function Review(props: ReviewProps) {
  const { flight, blocking, acknowledged, isAcknowledgementMissing, refusal, onApprove, onReject } = props;
  const { flights: words, actions } = text();
  const span = (start: string | null, end: string | null) =>
    start === null || end === null ? null : `${formatCounter(start)} – ${formatCounter(end)}`;
  const facts: [string, string | number | null | false][] = [
    [words.offBlock, timeOr(flight.off_block_at)],
    [words.takeOff, flight.take_off_at && timeOr(flight.take_off_at)],
    [words.landing, flight.landing_at && timeOr(flight.landing_at)],
    [words.onBlock, timeOr(flight.on_block_at)],
    [words.airborne, flight.airborne_minutes !== null && formatDuration(flight.airborne_minutes)],
    [words.hobbs, span(flight.hobbs_start, flight.hobbs_end)],
    [words.tacho, span(flight.tacho_start, flight.tacho_end)],
    [words.dayLandings, flight.day_landings > 0 && flight.day_landings],
    [words.nightLandings, flight.night_landings > 0 && flight.night_landings],
    [words.nightMinutes, flight.night_minutes > 0 && formatDuration(flight.night_minutes)],
    [words.ifrMinutes, flight.ifr_minutes > 0 && formatDuration(flight.ifr_minutes)],
    [words.passengers, flight.passengers > 0 && flight.passengers],
    [words.nature, flight.nature && words.natures[flight.nature]],
    [words.lesson, flight.lesson],
    [words.supervisor, flight.supervisor_name],
    [words.remarks, flight.remarks],
    [words.workshopRemarks, flight.workshop_remarks],
  ];
  return (
    <div class="review">
      <dl class="inline-facts">
        {facts.map(([label, value]) =>
          value === null || value === false || value === "" ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="as-written">{value}</dd>
            </div>
          ),
        )}
      </dl>
      <Oddities flight={flight} />
      {blocking.length > 0 && may("flights:acknowledge") && (
        <fieldset class="group">
          <legend class="visually-hidden">{words.acknowledge}</legend>
          {blocking.map((rule) => (
            <label key={rule} class="check">
              <input
                type="checkbox"
                name={`acknowledge.${rule}`}
                checked={acknowledged.value.has(rule)}
                onChange={({ currentTarget }) => {
                  const next = new Set(acknowledged.value);
                  if (currentTarget.checked) next.add(rule);
                  else next.delete(rule);
                  acknowledged.value = next;
                }}
              />
              <span>
                {words.acknowledge}: {words.rules[rule]}
              </span>
            </label>
          ))}
          {isAcknowledgementMissing && (
            <p class="fault" role="alert">
              {words.acknowledgeFirst}
            </p>
          )}
        </fieldset>
      )}
      {blocking.length > 0 && !may("flights:acknowledge") && <p class="quiet">{words.mayNotAcknowledge}</p>}
      <Price key={flight.updated_at} flight={flight} />
      {refusal !== undefined && <ProblemNotice error={refusal} />}
      <div class="form-actions">
        {(blocking.length === 0 || may("flights:acknowledge")) && (
          <Button kind="primary" shortcut="a" onClick={onApprove}>
            {words.approve}
          </Button>
        )}
        <Button kind="danger" shortcut="r" onClick={onReject}>
          {words.reject}
        </Button>
        <a class="button plain" href={`/app/flights/${flight.id}`}>
          {actions.open}
        </a>
        {may("flights:submit_any") && (
          <a class="button plain" href={`/app/flights/${flight.id}/edit`}>
            {words.edit}
          </a>
        )}
      </div>
    </div>
  );
}
