/** A requirement: of whom, which types and levels are enough, and what a change would do before it is saved. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComplianceRequirement, RecordType } from "../../api/operations.ts";
import { act, change } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { changesIn } from "../../app/merge.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoicesField, Form, SelectField, Submit } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { toast } from "../../ui/toast.tsx";
import { Effect } from "./effect.tsx";
import { levelName, nameOfType, useRequirementNames } from "./type-names.ts";
import { complianceText } from "./words.ts";

type Role = ComplianceRequirement["applies_to"];

export const roles: readonly Role[] = ["student", "pilot", "instructor", "aircraft", "simulator"];

const subjectOf = (role: string): RecordType["subject"] =>
  role === "aircraft" || role === "simulator" ? "aircraft" : "person";

const refresh = () => changed("/compliance", "/clearance", "/today", "/planning/board");

interface RequirementDialogProps {
  /** Without one, it adds one. */
  requirement: ComplianceRequirement | undefined;
  onClose: () => void;
}

export function RequirementDialog({ requirement, onClose }: RequirementDialogProps) {
  const { requirements: words } = complianceText();
  const { actions } = text();
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query: { limit: 500 } }).data?.data ?? [];
  const nameOf = useRequirementNames();
  const appliesTo = useSignal<string>(requirement?.applies_to ?? "student");
  const anyOf = useSignal<readonly string[]>(requirement?.any_of ?? []);
  const levels = useSignal<readonly string[]>(requirement?.levels ?? []);
  const isRemoving = useSignal(false);
  const subject = useComputed(() => subjectOf(appliesTo.value)).value;
  const offered = types.filter((type) => type.subject === subject);
  const chosen = offered.filter(({ key }) => anyOf.value.includes(key));
  const known = [...new Set(chosen.flatMap((type) => type.levels))];
  const body = {
    applies_to: appliesTo.value as Role,
    any_of: anyOf.value.filter((key) => offered.some((type) => type.key === key)),
    levels: levels.value.filter((level) => known.includes(level)),
  };

  const submit = async () => {
    if (requirement === undefined) await call("POST /orgs/{orgId}/compliance/requirements", { body });
    else
      await change(
        "/orgs/{orgId}/compliance/requirements/{requirementId}",
        { requirementId: requirement.id },
        changesIn(requirement, body),
        {
          before: requirement,
          fields: {
            applies_to: { label: words.of, shown: (role) => words.roles[role as Role] },
            any_of: { label: words.anyOf, isList: true },
            levels: { label: words.levels, isList: true },
          },
        },
      );
    onClose();
    await refresh();
    toast(requirement === undefined ? words.added(nameOf(body)) : actions.saved);
  };

  if (requirement && isRemoving.value) return <Removing {...{ requirement, onClose }} name={nameOf(requirement)} />;
  const isUnchanged = requirement !== undefined && Object.keys(changesIn(requirement, body)).length === 0;
  return (
    <Dialog title={requirement === undefined ? words.add : words.change} onClose={onClose} wide>
      <Form onSubmit={submit}>
        <SelectField
          name="applies_to"
          label={words.of}
          value={appliesTo}
          options={roles.map((value) => ({ value, label: words.roles[value] }))}
        />
        <ChoicesField
          name="any_of"
          label={words.anyOf}
          hint={words.anyOfHint}
          value={anyOf}
          options={offered
            .map(({ key }) => ({ value: key, label: nameOfType(types, key) }))
            .sort((one, other) => one.label.localeCompare(other.label))}
        />
        {known.length > 0 && (
          <ChoicesField
            name="levels"
            label={words.levels}
            hint={words.levelsHint}
            value={levels}
            options={known.map((value) => ({ value, label: levelName(value) }))}
          />
        )}
        {!isUnchanged && body.any_of.length > 0 && (
          <Effect
            isOfAircraft={subject === "aircraft"}
            trial={{ requirement_id: requirement?.id ?? null, requirement: body }}
          />
        )}
        <FormFoot
          submit={requirement === undefined ? words.add : actions.save}
          remove={words.remove}
          onRemove={
            requirement !== undefined
              ? () => {
                  isRemoving.value = true;
                }
              : undefined
          }
        />
      </Form>
    </Dialog>
  );
}

interface RemovingProps {
  requirement: ComplianceRequirement;
  name: string;
  onClose: () => void;
}

function Removing({ requirement, name, onClose }: RemovingProps) {
  const { requirements: words } = complianceText();
  const remove = async () => {
    const path = { requirementId: requirement.id };
    await act("DELETE /orgs/{orgId}/compliance/requirements/{requirementId}", { path }, requirement);
    onClose();
    await refresh();
    toast(words.removed(name));
  };
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose} wide>
      <Form onSubmit={remove}>
        <Effect
          trial={{ requirement_id: requirement.id, requirement: null }}
          isOfAircraft={subjectOf(requirement.applies_to) === "aircraft"}
        />
        <div class="form-actions">
          <Submit kind="danger">{words.remove}</Submit>
          <Button onClick={onClose}>{text().actions.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
