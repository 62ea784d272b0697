/** The programmes of the school, and the built-in syllabi to begin with. */
import { useSignal } from "@preact/signals";
import type { TrainingProgram } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { language } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { failed } from "../../ui/failed.ts";
import { List, pageLimit } from "../../ui/list.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { Tabs } from "./tabs.tsx";
import { trainingText } from "./words.ts";

export default function Programs() {
  const words = trainingText();
  const isChoosing = useSignal(false);
  const cursor = place.value.query.get("cursor") ?? undefined;
  const programs = useResource("GET /orgs/{orgId}/training/programs", {
    query: { limit: pageLimit, ...(cursor !== undefined && { cursor }) },
  });
  const add = may("training:manage") && (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => {
        isChoosing.value = true;
      }}
    >
      {words.addProgram}
    </Button>
  );
  return (
    <>
      <div class="page-head">
        <h1>{words.programs}</h1>
        <div class="actions">{add}</div>
      </div>
      <Tabs />
      <List<TrainingProgram>
        label={words.programs}
        resource={programs}
        filters={[]}
        href={({ id }) => `/app/training/programs/${id}`}
        columns={[
          { label: words.program, cell: ({ name }) => name },
          { label: words.programKind, cell: (program) => <KindOf program={program} /> },
          { label: words.addedOn, cell: ({ created_at }) => formatDate(created_at), isDesk: true },
        ]}
        empty={<Empty title={words.noPrograms}>{words.noProgramsHint}</Empty>}
      />
      {isChoosing.value && (
        <Templates
          onClose={() => {
            isChoosing.value = false;
          }}
        />
      )}
    </>
  );
}

/** On a phone it stands below the name, which often says the same. */
function KindOf({ program: { name, kind } }: { program: TrainingProgram }) {
  const said = trainingText().programKinds[kind];
  return <span class={said === name ? "same-as-name" : undefined}>{said}</span>;
}

function Templates({ onClose }: { onClose: () => void }) {
  const words = trainingText();
  const templates = useResource("GET /orgs/{orgId}/training/templates", { query: { language: language.value } });
  const apply = (key: string) =>
    call("POST /orgs/{orgId}/training/templates/{key}/apply", {
      path: { key },
      body: { language: language.value },
    }).then(async ({ data }) => {
      onClose();
      await changed("/training");
      go(`/app/training/programs/${data.program_id}/revisions/${data.id}`);
    }, failed);
  return (
    <Dialog title={words.addProgram} onClose={onClose} wide>
      <p class="quiet">{words.templateHint}</p>
      <Loaded resource={templates}>
        {({ data }) => (
          <Rows
            label={words.addProgram}
            empty=""
            most={50}
            rows={data.map(({ key, name, legal_basis, lesson_count }) => ({
              id: key,
              title: name,
              detail: `${words.lessonCount(lesson_count)} · ${legal_basis}`,
              aside: (
                <Button onClick={() => apply(key)}>
                  {words.take}
                  <span class="visually-hidden"> {name}</span>
                </Button>
              ),
            }))}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
