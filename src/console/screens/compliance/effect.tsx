/** Who would get another status by a change of the requirements, before it is saved. The newest answer wins. */
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { ComplianceRequirementDryRun, ComplianceRequirementTrial } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { complianceText } from "./words.ts";

interface EffectProps {
  trial: ComplianceRequirementTrial;
  isOfAircraft: boolean;
}

type Answer = { tried: ComplianceRequirementDryRun } | { problem: unknown };
type Status = ComplianceRequirementDryRun["subjects"][number]["after"];

const tones: Record<Status, Tone> = { compliant: "good", expiring: "warn", not_compliant: "bad" };
const statuses = ["not_compliant", "expiring", "compliant"] as const;

export function Effect({ trial, isOfAircraft }: EffectProps) {
  const { effect: words } = complianceText();
  const id = useId();
  const answer = useSignal<Answer | undefined>(undefined);
  const key = JSON.stringify(trial);
  useEffect(() => {
    answer.value = undefined;
    const own = new AbortController();
    const take = (next: Answer) => {
      if (!own.signal.aborted) answer.value = next;
    };
    call("POST /orgs/{orgId}/compliance/requirements/dry-run", { body: trial, signal: own.signal }).then(
      ({ data }) => take({ tried: data }),
      (problem) => take({ problem }),
    );
    return () => own.abort();
  }, [key]);
  const { value } = answer;
  return (
    <section class="form" aria-labelledby={id} aria-live="polite">
      <h3 id={id}>{words.title}</h3>
      {value === undefined ? (
        <p class="quiet">{words.asking}</p>
      ) : "problem" in value ? (
        <ProblemNotice error={value.problem} />
      ) : (
        <Tried tried={value.tried} {...{ isOfAircraft }} isRemoved={!trial.requirement} />
      )}
    </section>
  );
}

interface TriedProps {
  tried: ComplianceRequirementDryRun;
  isOfAircraft: boolean;
  isRemoved: boolean;
}

function Tried({ tried: { concerned, lacking, becoming, subjects }, isOfAircraft, isRemoved }: TriedProps) {
  const { effect: words } = complianceText();
  const { compliance } = text();
  const total = statuses.reduce((sum, status) => sum + becoming[status], 0);
  return (
    <>
      {!isRemoved && (
        <p>
          {isOfAircraft ? words.aircraft(concerned) : words.people(concerned)}
          {concerned > 0 && ` ${words.lacking(lacking)}`}
        </p>
      )}
      {total === 0 ? (
        <p class="quiet">{words.nothing}</p>
      ) : (
        <div class="legend">
          {statuses
            .filter((status) => becoming[status] > 0)
            .map((status) => (
              <Badge key={status} tone={tones[status]}>
                {`${compliance.statuses[status]}: ${becoming[status]}`}
              </Badge>
            ))}
        </div>
      )}
      {total > 0 && (
        <Rows
          label={words.title}
          empty=""
          rows={subjects.map(({ person_id, aircraft_id, name, before, after }) => ({
            id: person_id ?? aircraft_id ?? name,
            title: name,
            detail: words.before(compliance.statuses[before]),
            aside: <Badge tone={tones[after]}>{compliance.statuses[after]}</Badge>,
          }))}
        />
      )}
      {total > subjects.length && <p class="quiet small">{words.more(total - subjects.length)}</p>}
    </>
  );
}
