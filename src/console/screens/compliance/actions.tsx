/** The rules of the clearance, and what the school does if a flight does not meet one. */
import { useSignal } from "@preact/signals";
import type { ClearanceRule } from "../../api/operations.ts";
import { change } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EitherField } from "../../ui/either-field.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { complianceText } from "./words.ts";

type Action = ClearanceRule["action"];

const all: readonly Action[] = ["block", "warn", "off"];
const tones: Record<Action, Tone> = { block: "bad", warn: "warn", off: "neutral" };

export function Actions() {
  const { actions: words } = complianceText();
  const { flights } = text();
  const rules = useResource("GET /orgs/{orgId}/clearance/rules");
  const opened = useSignal<ClearanceRule | undefined>(undefined);
  const mayManage = may("clearance:manage");
  return (
    <Section title={words.title}>
      <p class="quiet">{words.hint}</p>
      <Loaded resource={rules} lines={8}>
        {({ data }) => (
          <Rows
            label={words.title}
            empty=""
            most={30}
            rows={data.map((rule) => ({
              id: rule.key,
              title: flights.rules[rule.key],
              detail: detailOf(rule),
              aside: <Badge tone={tones[rule.action]}>{words.named[rule.action]}</Badge>,
              ...(mayManage && {
                onOpen: () => {
                  opened.value = rule;
                },
              }),
            }))}
          />
        )}
      </Loaded>
      {opened.value && (
        <ActionDialog
          rule={opened.value}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

const sourceOf = ({ source }: ClearanceRule): string => {
  const { actions: words } = complianceText();
  return source === null ? words.ofSchool : words.source(source.article, source.regulation);
};

function detailOf(rule: ClearanceRule): string {
  const { actions: words } = complianceText();
  const isUsual = rule.action === rule.default_action;
  return [sourceOf(rule), ...(isUsual ? [] : [words.usually(words.named[rule.default_action])])].join(" · ");
}

function ActionDialog({ rule, onClose }: { rule: ClearanceRule; onClose: () => void }) {
  const { actions: words } = complianceText();
  const { actions, flights } = text();
  const action = useSignal<string>(rule.action);
  const set = async (before: ClearanceRule, next: Action) => {
    await change(
      "/orgs/{orgId}/clearance/rules/{rule}",
      { rule: rule.key },
      { action: next },
      {
        before,
        fields: { action: { label: words.field, shown: (value) => words.named[value as Action] } },
      },
    );
    await changed("/clearance", "/planning/board");
  };
  const submit = async () => {
    const next = action.value as Action;
    if (next !== rule.action) {
      await set(rule, next);
      toast(actions.saved, { label: actions.undo, run: () => set({ ...rule, action: next }, rule.action) });
    }
    onClose();
  };
  return (
    <Dialog title={flights.rules[rule.key]} onClose={onClose}>
      <Form onSubmit={submit}>
        <p class="quiet">{sourceOf(rule)}</p>
        <EitherField
          name="action"
          label={words.field}
          value={action}
          autoFocus
          options={all.map((value) => ({
            value,
            label: value === rule.default_action ? `${words.named[value]} (${words.usual})` : words.named[value],
            detail: words.effects[value],
          }))}
        />
        <div class="form-actions">
          <Submit>{actions.save}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
