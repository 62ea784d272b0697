/** A type of records. Of one that every school has, only the warning changes. */
import { useSignal } from "@preact/signals";
import type { RecordType } from "../../api/operations.ts";
import { act, change } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { changesIn } from "../../app/merge.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, TextField } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { toast } from "../../ui/toast.tsx";
import { newKey } from "./new-key.ts";
import { nameOfType } from "./type-names.ts";
import { complianceText } from "./words.ts";

interface RecordTypeDialogProps {
  /** Without one, it adds one. */
  type: RecordType | undefined;
  types: readonly RecordType[];
  onClose: () => void;
}

/** Of at most 20 characters each. */
const levelsPattern = "[^,]{0,20}(,[^,]{0,20}){0,19}";

const refresh = () => changed("/compliance", "/clearance", "/today");

export function RecordTypeDialog({ type, types, onClose }: RecordTypeDialogProps) {
  const { kindsOfRecords: words, ofs } = complianceText();
  const { actions } = text();
  const name = useSignal(type?.name ?? "");
  const subject = useSignal<string>(type?.subject ?? "person");
  const months = useSignal(String(type?.validity_months ?? ""));
  const warning = useSignal(String(type?.warning_days ?? 30));
  const levels = useSignal(type?.levels.join(", ") ?? "");
  const untilRequired = useSignal(type?.valid_until_required ?? false);
  const isRemoving = useSignal(false);

  const add = async () => {
    const key = newKey(
      name.value,
      types.map((one) => one.key),
    );
    const body = { ...typed(), key, subject: subject.value as RecordType["subject"] };
    await call("POST /orgs/{orgId}/compliance/types", { body });
    onClose();
    await refresh();
    toast(words.added(body.name));
  };
  const typed = () => ({
    name: name.value,
    validity_months: months.value === "" ? null : Number(months.value),
    warning_days: Number(warning.value),
    levels: [...new Set(levels.value.split(",").map((level) => level.trim()))].filter((level) => level !== ""),
    valid_until_required: untilRequired.value,
  });
  const save = async (before: RecordType) => {
    const body = changesIn(before, before.built_in ? { warning_days: Number(warning.value) } : typed());
    if (Object.keys(body).length > 0)
      await change("/orgs/{orgId}/compliance/types/{typeId}", { typeId: before.id }, body, {
        before,
        fields: {
          name: { label: words.name },
          validity_months: { label: words.months },
          warning_days: { label: words.warning },
          levels: { label: words.levels, isList: true },
          valid_until_required: {
            label: words.untilRequired,
            shown: (value) => (value === true ? text().form.yes : text().form.no),
          },
        },
      });
    onClose();
    await refresh();
    toast(actions.saved);
  };
  const remove = async (seen: RecordType) => {
    await act("DELETE /orgs/{orgId}/compliance/types/{typeId}", { path: { typeId: seen.id } }, seen);
    await refresh();
    toast(words.removed(seen.name));
  };

  if (type && isRemoving.value)
    return (
      <Confirm
        title={words.removeTitle(type.name)}
        action={words.remove}
        onConfirm={() => remove(type)}
        onClose={onClose}
      >
        {words.removeHint}
      </Confirm>
    );
  const isBuiltIn = type?.built_in === true;
  return (
    <Dialog title={type === undefined ? words.add : nameOfType(types, type.key)} onClose={onClose}>
      <Form onSubmit={() => (type === undefined ? add() : save(type))}>
        {isBuiltIn && <p class="quiet">{words.builtIn}</p>}
        {!isBuiltIn && <TextField name="name" label={words.name} value={name} maxLength={80} required autoFocus />}
        {type === undefined && (
          <SelectField
            name="subject"
            label={words.subject}
            value={subject}
            options={(["person", "aircraft"] as const).map((value) => ({ value, label: ofs[value] }))}
          />
        )}
        <div class="fields close">
          {!isBuiltIn && (
            <TextField
              name="validity_months"
              label={words.months}
              hint={words.monthsHint}
              value={months}
              type="number"
              inputMode="numeric"
              min="1"
              max="1200"
            />
          )}
          <TextField
            name="warning_days"
            label={words.warning}
            value={warning}
            type="number"
            inputMode="numeric"
            min="0"
            max="365"
            required
            autoFocus={isBuiltIn}
          />
        </div>
        {!isBuiltIn && (
          <>
            <TextField
              name="levels"
              label={words.levels}
              hint={words.levelsHint}
              value={levels}
              pattern={levelsPattern}
            />
            <CheckField name="valid_until_required" label={words.untilRequired} value={untilRequired} />
          </>
        )}
        <FormFoot
          submit={type === undefined ? words.add : actions.save}
          remove={words.remove}
          onRemove={
            type !== undefined && !isBuiltIn
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
