/** What is required of whom. Those who may manage it change it here. */
import { useSignal } from "@preact/signals";
import type { ComplianceRequirement } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import { RequirementDialog, roles } from "./requirement-dialog.tsx";
import { useRequirementNames } from "./type-names.ts";
import { complianceText } from "./words.ts";

export function Requirements() {
  const { requirements: words } = complianceText();
  const nameOf = useRequirementNames();
  const requirements = useResource("GET /orgs/{orgId}/compliance/requirements", { query: { limit: 500 } });
  const opened = useSignal<ComplianceRequirement | "new" | undefined>(undefined);
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
      <Loaded resource={requirements} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{words.empty}</p>
          ) : (
            <div class="requirement-groups">
              {roles.map((role) => {
                const theirs = data.filter(({ applies_to }) => applies_to === role);
                if (theirs.length === 0) return null;
                return (
                  <section key={role} class="form" aria-label={words.roles[role]}>
                    <h3>{words.roles[role]}</h3>
                    <Rows
                      label={words.roles[role]}
                      empty=""
                      most={20}
                      rows={theirs.map((requirement) => ({
                        id: requirement.id,
                        title: nameOf(requirement),
                        ...(mayManage && {
                          onOpen: () => {
                            opened.value = requirement;
                          },
                        }),
                      }))}
                    />
                  </section>
                );
              })}
            </div>
          )
        }
      </Loaded>
      {opened.value && (
        <RequirementDialog
          requirement={opened.value === "new" ? undefined : opened.value}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </SectionWithAdd>
  );
}
