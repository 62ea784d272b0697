/** How old the newest backup is, whether it was complete, and whether a restore of it was tried. */
import type { Installation, SchedulerRun } from "../../api/operations.ts";
import { formatBytes, formatCount } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { installationText } from "./words.ts";

type Backups = NonNullable<Installation["backups"]>;

export function Backups() {
  const words = installationText();
  const installation = useResource("GET /installation");
  return (
    <Section title={words.backups}>
      <Loaded resource={installation} lines={6}>
        {({ data: { backups } }) =>
          backups === null ? <p class="quiet">{words.noBackups}</p> : <BackupFacts backups={backups} />
        }
      </Loaded>
    </Section>
  );
}

function BackupFacts({ backups }: { backups: Backups }) {
  const words = installationText();
  const { newest, last_run, last_drill, next_run_at } = backups;
  return (
    <Facts
      facts={[
        { label: words.newest, value: newest === null ? words.none : <Newest newest={newest} /> },
        { label: words.lastRun, value: last_run && <RunResult run={last_run} /> },
        { label: words.trial, value: <Trial run={last_drill} isDrilled={backups.is_drilled} /> },
        { label: words.next, value: next_run_at && <When at={next_run_at} /> },
        { label: words.kept, value: keptOf(backups) },
        { label: words.encrypted, value: backups.is_encrypted ? words.yes : words.no },
        { label: words.elsewhere, value: backups.has_command ? words.yes : words.no },
        { label: words.directory, value: <span class="mono">{backups.path}</span> },
      ]}
    />
  );
}

function Newest({ newest }: { newest: NonNullable<Backups["newest"]> }) {
  const words = installationText();
  const findings = useResource("GET /installation/findings").data?.data.findings ?? [];
  const isOld = findings.some(({ code }) => code === "backups_old");
  return (
    <>
      <span class="title-line">
        <When at={newest.started_at} />
        {isOld && <Badge tone="warn">{words.old}</Badge>}
      </span>
      <span class="quiet">{words.extent(formatCount(newest.schools), formatBytes(newest.bytes))}</span>
      {newest.older_copies > 0 && <p>{words.olderCopies(newest.older_copies)}</p>}
      {newest.missing_schools > 0 && <p>{words.missingSchools(newest.missing_schools)}</p>}
    </>
  );
}

function Trial({ run, isDrilled }: { run: SchedulerRun | null; isDrilled: boolean }) {
  const words = installationText();
  if (run !== null) return <RunResult run={run} />;
  return (
    <>
      {words.noTrial} {!isDrilled && <p class="quiet">{words.noTrialHint}</p>}
    </>
  );
}

/** When it was, how it went, and what the server says of it. Why one failed stands at the top of the page. */
function RunResult({ run }: { run: SchedulerRun }) {
  const words = installationText();
  return (
    <>
      <span class="title-line">
        <When at={run.finished_at} />
        <Badge tone={run.outcome === "failed" ? "bad" : "good"}>{words.outcomes[run.outcome]}</Badge>
      </span>
      {run.outcome === "succeeded" && (
        <p class="quiet" lang="en">
          {run.summary}
        </p>
      )}
    </>
  );
}

function keptOf({ keep_count, keep_days }: Backups): string {
  const words = installationText();
  const parts = [keep_count !== null && words.keptNewest(keep_count), keep_days !== null && words.keptDays(keep_days)];
  return parts.filter(Boolean).join(", ") || words.keptAll;
}
