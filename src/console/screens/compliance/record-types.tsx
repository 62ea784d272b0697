/** The types of records: those of the school, which it changes, and those that every school has. */
import { useSignal } from "@preact/signals";
import type { RecordType } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import { RecordTypeDialog } from "./record-type-dialog.tsx";
import { levelName, nameOfType } from "./type-names.ts";
import { complianceText } from "./words.ts";

export function RecordTypes() {
  const { kindsOfRecords: words } = complianceText();
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query: { limit: 500 } });
  const opened = useSignal<RecordType | "new" | undefined>(undefined);
  const mayManage = may("compliance:manage");
  return (
    <SectionWithAdd
      title={words.title}
      add={words.add}
      onAdd={
        mayManage
          ? () => {
              opened.value = "new";
            }
          : undefined
      }
    >
      <p class="quiet">{words.hint}</p>
      <Loaded resource={types} lines={8}>
        {({ data }) => (
          <Rows
            label={words.title}
            empty=""
            most={12}
            rows={ownFirst(data).map((type) => ({
              id: type.id,
              title: nameOfType(data, type.key),
              detail: detailOf(type),
              aside: !type.built_in && <Badge tone="info">{words.own}</Badge>,
              ...(mayManage && {
                onOpen: () => {
                  opened.value = type;
                },
              }),
            }))}
          />
        )}
      </Loaded>
      {opened.value && (
        <RecordTypeDialog
          type={opened.value === "new" ? undefined : opened.value}
          types={types.data?.data ?? []}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </SectionWithAdd>
  );
}

function detailOf({ subject, validity_months, warning_days, levels }: RecordType): string {
  const { kindsOfRecords: words } = complianceText();
  return [
    words.subjects[subject],
    ...(validity_months === null ? [] : [words.valid(validity_months)]),
    words.warns(warning_days),
    ...(levels.length === 0 ? [] : [levels.map(levelName).join(", ")]),
  ].join(" · ");
}

const ownFirst = (types: readonly RecordType[]): readonly RecordType[] =>
  types.toSorted(
    (one, other) =>
      Number(one.built_in) - Number(other.built_in) ||
      nameOfType(types, one.key).localeCompare(nameOfType(types, other.key)),
  );
