/** What runs by schedule, and how it went. What fails stands first. */
import { useSignal } from "@preact/signals";
import type { Scheduler } from "../../api/operations.ts";
import { formatCount, formatSpan } from "../../app/format.ts";
import { language } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Command } from "../../ui/command.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { installationText } from "./words.ts";

export function Jobs() {
  const words = installationText();
  const jobs = useResource("GET /installation/jobs");
  const chosen = useSignal<string | undefined>(undefined);
  const open = jobs.data?.data.find(({ name }) => name === chosen.value);
  return (
    <Section title={words.jobs}>
      <Loaded resource={jobs} lines={8}>
        {({ data }) => (
          <Rows
            label={words.jobs}
            empty=""
            most={8}
            rows={data.toSorted(byNeed).map((job) => ({
              id: job.name,
              title: <span class="mono">{job.name}</span>,
              onOpen: () => {
                chosen.value = job.name;
              },
              detail: <Said job={job} />,
              aside: <State job={job} />,
            }))}
          />
        )}
      </Loaded>
      {open && (
        <JobDialog
          job={open}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

/** First what fails, then what runs, then what ran last. */
const byNeed = (a: Scheduler, b: Scheduler): number =>
  b.failures_in_a_row - a.failures_in_a_row ||
  Number(b.running_since !== null) - Number(a.running_since !== null) ||
  (b.runs[0]?.finished_at ?? "").localeCompare(a.runs[0]?.finished_at ?? "") ||
  a.name.localeCompare(b.name);

const Said = ({ job: { runs } }: { job: Scheduler }) => (runs[0] ? <span lang="en">{runs[0].summary}</span> : null);

function State({ job: { running_since, progress, runs, failures_in_a_row } }: { job: Scheduler }) {
  const words = installationText();
  const [last] = runs;
  if (running_since !== null)
    return (
      <Badge tone="info">
        {words.running}
        {progress && `, ${words.progress(formatCount(progress.done), formatCount(progress.total))}`}
      </Badge>
    );
  if (last === undefined) return <span class="quiet small">{words.neverRan}</span>;
  return (
    <>
      <span class="quiet small">
        <When at={last.finished_at} />
      </span>
      {failures_in_a_row > 0 ? (
        <Badge tone="bad">{words.failed(failures_in_a_row)}</Badge>
      ) : (
        <Badge tone="good">{words.outcomes.succeeded}</Badge>
      )}
    </>
  );
}

function JobDialog({ job, onClose }: { job: Scheduler; onClose: () => void }) {
  const words = installationText();
  const history = useResource("GET /installation/jobs/{name}", { path: { name: job.name } });
  const { running_since, next_run_at, schedule } = job;
  return (
    <Dialog title={job.name} onClose={onClose} wide>
      <p>{descriptionOf(job)}</p>
      <Facts
        facts={[
          { label: words.runningSince, value: running_since && <When at={running_since} /> },
          { label: words.next, value: next_run_at && <When at={next_run_at} /> },
          { label: words.schedule, value: <span class="mono">{schedule}</span> },
        ]}
      />
      {job.failures_in_a_row > 0 && (
        <div>
          {words.tryAgain}
          <Command>{`windsock jobs run ${job.name}`}</Command>
        </div>
      )}
      <h3>{words.history}</h3>
      <Loaded resource={history}>
        {({ data: { runs } }) => (
          <Rows
            label={words.history}
            empty={words.noHistory}
            most={10}
            rows={runs.map(({ started_at, finished_at, outcome, duration_ms, summary }) => ({
              id: `${started_at} ${finished_at} ${summary}`,
              title: <When at={started_at} />,
              detail: (
                <>
                  <span lang="en">{summary}</span> · {words.took(formatSpan(duration_ms))}
                </>
              ),
              aside: <Badge tone={outcome === "failed" ? "bad" : "good"}>{words.outcomes[outcome]}</Badge>,
            }))}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

/** English is the server's own. */
function descriptionOf({ name, description }: Scheduler) {
  const translated = installationText().jobDescriptions[name];
  return <span lang={translated === undefined ? "en" : language.value}>{translated ?? description}</span>;
}
