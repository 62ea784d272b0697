/** Grades of exercises that are of no lesson record: the newest first. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingRevision, TrainingSignoff } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { changed } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { isOwn } from "./may-record.ts";
import { signoffRow } from "./record-parts.tsx";
import { SignAll } from "./sign-all.tsx";
import { trainingText } from "./words.ts";

interface SignoffsProps {
  enrollment: Enrollment;
  signoffs: readonly TrainingSignoff[];
  scales: TrainingRevision["scales"];
}

export function Signoffs({ enrollment, signoffs, scales }: SignoffsProps) {
  const words = trainingText();
  const signsAll = useSignal(false);
  const unsigned = isOwn(enrollment)
    ? signoffs.filter(({ status, acknowledged_at }) => status !== "voided" && acknowledged_at === null)
    : [];
  const acknowledge = (signoff: TrainingSignoff) =>
    act(
      "POST /orgs/{orgId}/training/signoffs/{signoffId}/acknowledge",
      { path: { signoffId: signoff.id } },
      signoff,
    ).then(() => changed("/training", "/today"), failed);
  if (signoffs.length === 0) return null;
  return (
    <Section
      title={words.signoffs}
      actions={
        unsigned.length > 1 && (
          <Button
            kind="plain"
            onClick={() => {
              signsAll.value = true;
            }}
          >
            {words.readAll(unsigned.length)}
          </Button>
        )
      }
    >
      <Rows
        label={words.signoffs}
        empty=""
        most={2}
        rows={signoffs.map((signoff) => ({
          ...signoffRow(signoff, scales),
          aside:
            signoff.status === "voided" ? (
              <Badge tone="neutral">{words.voided}</Badge>
            ) : (
              unsigned.includes(signoff) && (
                <Button onClick={() => acknowledge(signoff)}>
                  {words.sign}
                  <span class="visually-hidden"> {signoff.item.name}</span>
                </Button>
              )
            ),
        }))}
      />
      {signsAll.value && (
        <SignAll
          {...{ scales }}
          signoffs={unsigned}
          onClose={() => {
            signsAll.value = false;
          }}
        />
      )}
    </Section>
  );
}
