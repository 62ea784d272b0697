/** What `windsock doctor` says, in the reader's language: what is wrong, what it means, and what to do. */
import type { Finding } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import type { Sentence } from "../../text/findings.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Command } from "../../ui/command.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { installationText } from "./words.ts";

export function Findings() {
  const words = installationText();
  const examined = useResource("GET /installation/findings");
  const found = examined.data?.data.findings.filter(({ level }) => level !== "fine") ?? [];
  if (examined.data && found.length === 0 && examined.problem === undefined)
    return (
      <p class="quiet">
        {words.nothing} <When at={examined.data.data.examined_at} />.
      </p>
    );
  return (
    <Section title={words.needsYou}>
      <Loaded resource={examined}>
        {() => (
          <Rows
            label={words.needsYou}
            empty=""
            most={20}
            rows={rowsOf(found).map(({ level, ...sentence }) => ({
              id: sentence.title,
              title: (
                <span class="title-line">
                  <Badge tone={tones[level]}>{words.levels[level]}</Badge>
                  {sentence.title}
                </span>
              ),
              detail: <Remedy {...sentence} />,
            }))}
          />
        )}
      </Loaded>
    </Section>
  );
}

const tones = { error: "bad", warning: "warn" } as const satisfies Record<string, Tone>;

function Remedy({ remedy, said, command }: Sentence) {
  return (
    <>
      {said !== undefined && <p lang="en">{said}</p>}
      <p>{remedy}</p>
      {command !== undefined && <Command>{command}</Command>}
    </>
  );
}

interface FindingRow extends Sentence {
  level: keyof typeof tones;
}

/** Without them a failure of the disk loses records: each has a row of its own. */
const vital: readonly (string | undefined)[] = ["backup", "backup-drill"];

/** Several other jobs that fail are one row: one cause lets many fail, and the list of jobs says how. */
function rowsOf(findings: readonly Finding[]): FindingRow[] {
  const words = installationText();
  const isOther = ({ code, params }: Finding) => code === "job_failing" && !vital.includes(params?.job);
  const failing = findings.filter(isOther);
  const rows = (of: readonly Finding[]) =>
    of.map(
      (finding): FindingRow => ({ level: finding.level === "error" ? "error" : "warning", ...sentenceOf(finding) }),
    );
  if (failing.length < 2) return rows(findings);
  const names = failing.map(({ params }) => params?.job).join(", ");
  const together = { title: words.jobsFail(failing.length), remedy: words.jobsFailHint(names) };
  return [...rows(findings.filter((finding) => !isOther(finding))), { level: "warning", ...together }];
}

/** A case that this console does not know, of a newer server, is said as the server says it. */
function sentenceOf({ code, params, message, remedy = "" }: Finding): Sentence {
  const { findings } = installationText();
  const sentence: ((params: never, format: { when: (at: string) => string }) => Sentence) | undefined =
    code && findings[code];
  return sentence?.(params as never, { when: formatDateTime }) ?? { title: message, remedy };
}
