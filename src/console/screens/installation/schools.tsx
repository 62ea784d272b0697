/** All schools with their files. What is in them, the operator does not see here. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { InstallationSchool } from "../../api/operations.ts";
import { formatBytes, formatCount, formatDateTime } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { place } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Command } from "../../ui/command.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { When } from "../../ui/when.tsx";
import { installationText } from "./words.ts";

const orders = ["name", "-name", "-members", "-bytes", "-written_at", "backed_up_at"] as const;

export function Schools() {
  const words = installationText();
  const id = useId();
  const cursor = place.value.query.get("cursor") ?? undefined;
  const schools = useResource("GET /installation/schools", {
    query: { limit: pageLimit, ...chosenOrder(orders), ...(cursor !== undefined && { cursor }) },
  });
  const newest = useResource("GET /installation").data?.data.schema_version;
  const chosen = useSignal<InstallationSchool | undefined>(undefined);
  return (
    <section class="listed" aria-labelledby={id}>
      <h2 id={id}>{words.schools}</h2>
      <List<InstallationSchool>
        label={words.schools}
        resource={schools}
        filters={[]}
        order="name"
        columns={[
          { label: words.school, orders: ["name", "-name"], cell: (school) => <Name school={school} /> },
          {
            label: words.members,
            orders: ["-members"],
            isNumber: true,
            isDesk: true,
            cell: ({ members }) => formatCount(members),
          },
          { label: words.size, orders: ["-bytes"], isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
          {
            label: words.written,
            orders: ["-written_at"],
            isDesk: true,
            cell: ({ written_at }) => written_at && <When at={written_at} />,
          },
          { label: words.backup, orders: ["backed_up_at"], cell: (school) => <BackedUp school={school} /> },
          { label: words.state, cell: (school) => <FileState school={school} newest={newest} /> },
          {
            label: words.whatToDo,
            isHeadless: true,
            isActions: true,
            cell: (school) =>
              isInNeed(school) && (
                <Button
                  kind="plain"
                  onClick={() => {
                    chosen.value = school;
                  }}
                >
                  {words.whatToDo}
                  <span class="visually-hidden"> {school.name}</span>
                </Button>
              ),
          },
        ]}
        empty={<Empty title={words.noSchools} />}
      />
      {chosen.value && (
        <WhatToDo
          school={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </section>
  );
}

const isInNeed = ({ file_state, backup_fault }: InstallationSchool) => file_state !== "usable" || backup_fault !== null;

function Name({ school: { name, state, removal_at } }: { school: InstallationSchool }) {
  const words = installationText();
  if (state === "active") return <>{name}</>;
  return (
    <span class="title-line">
      {name}
      <Badge tone="warn">
        {removal_at === null ? (
          words.suspended
        ) : (
          <>
            {words.removal} <When at={removal_at} />
          </>
        )}
      </Badge>
    </span>
  );
}

function BackedUp({ school: { backed_up_at, backup_fault } }: { school: InstallationSchool }) {
  const words = installationText();
  return (
    <span class="title-line">
      <span class="phone">{words.backup}</span>
      {backed_up_at === null ? <span class="quiet">{words.notBackedUp}</span> : <When at={backed_up_at} />}
      {backup_fault !== null && <Badge tone="bad">{words.backupFailed}</Badge>}
    </span>
  );
}

function FileState({ school, newest }: { school: InstallationSchool; newest: number | undefined }) {
  const words = installationText();
  const { file_state, schema_version } = school;
  if (file_state !== "usable") return <Badge tone="bad">{words.states[file_state]}</Badge>;
  // The job `migrations` brings it up to date; 0 is not known.
  const isOlder = newest !== undefined && schema_version > 0 && schema_version < newest;
  return <Badge tone={isOlder ? "info" : "good"}>{isOlder ? words.older : words.states.usable}</Badge>;
}

/** What the state of the file means, and the command that mends it. */
function WhatToDo({ school, onClose }: { school: InstallationSchool; onClose: () => void }) {
  const words = installationText();
  const { name, file_state, unusable_since, faults, command, backup_fault } = school;
  const isRestored = command?.startsWith("windsock restore ") === true;
  return (
    <Dialog title={name} onClose={onClose} wide>
      {file_state === "unusable" && unusable_since !== null && (
        <p>{words.quarantined(formatDateTime(unusable_since))}</p>
      )}
      {file_state === "damaged" && <p>{words.damaged}</p>}
      {faults.length > 0 && (
        <ul class="points" lang="en">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {file_state === "unusable" && <p>{isRestored ? words.mend : words.mendWithout}</p>}
      {command !== null && <Command>{command}</Command>}
      {backup_fault !== null && <p>{words.backupFault(backup_fault)}</p>}
    </Dialog>
  );
}
