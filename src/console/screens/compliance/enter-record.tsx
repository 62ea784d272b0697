/**
 * Enters a record of a person or an aircraft: a medical, a rating, an ARC. The expiry is filled in as the rule has it, until another one
 * is typed: what is printed on the document counts.
 */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ComplianceRecord, NewComplianceRecord, RecordType, ValiditySuggestion } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useProposal } from "../../ui/use-proposal.ts";
import { MissingExperience } from "./missing-experience.tsx";
import { attachToRecord, ScanField } from "./scans.tsx";
import type { Subject } from "./subject.ts";
import { nameOfType } from "./type-names.ts";
import { complianceText } from "./words.ts";

interface EnterRecordProps {
  subject: Subject;
  /** Whose it is, where the page is about others too. */
  whose?: string | undefined;
  types: readonly RecordType[];
  /** The key of the type that is chosen at first. */
  wanted: string | undefined;
  /** The record that is renewed: what stays the same is filled in. */
  before?: ComplianceRecord | undefined;
  onClose: () => void;
}

type Method = NonNullable<NewComplianceRecord["method"]>;

/** Of types that are made valid in several ways: the usual one first. */
const methodsOf: Partial<Record<string, readonly Method[]>> = {
  sep: ["check", "experience"],
  tmg: ["check", "experience"],
  arc: ["review", "extension"],
};

/** A day that is typed whole: while it is typed, browsers report days of the first centuries. */
const isTyped = (day: string): boolean => /^(19|20)/.test(day);

export function EnterRecord({ subject, whose, types, wanted, before, onClose }: EnterRecordProps) {
  const { compliance: words } = text();
  const type = useSignal(before?.type ?? wanted ?? types[0]?.key ?? "");
  const level = useSignal("");
  const method = useSignal("");
  const issuedOn = useSignal("");
  const validUntil = useSignal("");
  const number = useSignal(before?.number ?? "");
  const issuedBy = useSignal(before?.issued_by ?? "");
  const remarks = useSignal("");
  const scan = useSignal<File | undefined>(undefined);
  // A record whose scan failed is not entered again.
  const entered = useRef<ComplianceRecord>(undefined);
  const chosen = useComputed(() => types.find(({ key }) => key === type.value));
  const levels = chosen.value?.levels ?? [];
  const methods = methodsOf[type.value] ?? [];
  // A medical has a class and dates only.
  const isMedical = type.value === "medical";

  useSignalEffect(() => {
    const isSame = before?.type === type.value;
    level.value = (isSame ? before.level : null) ?? chosen.value?.levels[0] ?? "";
    method.value = (isSame ? before.method : null) ?? methodsOf[type.value]?.[0] ?? "";
  });

  const kind = {
    type: type.value,
    ...(level.value !== "" && { level: level.value }),
    ...(methods.length > 0 && { method: method.value as Method }),
  };
  const { data } = useResource(
    isTyped(issuedOn.value) ? "GET /orgs/{orgId}/compliance/suggested-validity" : undefined,
    {
      query: {
        ...{ ...subject, ...kind, done_on: issuedOn.value },
        ...(before?.type === type.value && before.valid_until !== null && { previous_until: before.valid_until }),
      },
    },
  );
  const suggestion = data?.data;
  useProposal(validUntil, suggestion && (suggestion.valid_until ?? ""));
  const isAsSuggested = validUntil.value !== "" && validUntil.value === suggestion?.valid_until;

  const enter = async () => {
    const typed = { number: number.value, issued_by: issuedBy.value, remarks: remarks.value };
    entered.current ??= (
      await call("POST /orgs/{orgId}/compliance/records", {
        body: {
          ...subject,
          ...kind,
          issued_on: issuedOn.value,
          ...(validUntil.value !== "" && { valid_until: validUntil.value }),
          ...(isAsSuggested && { other_levels: suggestion?.other_levels ?? [] }),
          ...(!isMedical && Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ""))),
        },
      })
    ).data;
    if (scan.value && !isMedical) {
      await changed("/compliance");
      await attachToRecord(entered.current.id, scan.value);
    }
    onClose();
    await changed("/compliance", "/clearance", "/aircraft", "/today");
    toast(words.entered(nameOfType(types, type.value)));
  };

  return (
    <Dialog title={words.enter} onClose={onClose}>
      {whose !== undefined && <p class="quiet">{whose}</p>}
      <Form onSubmit={enter}>
        <div class="fields close">
          <SelectField
            name="type"
            label={words.type}
            value={type}
            options={types.map(({ key }) => ({ value: key, label: nameOfType(types, key) }))}
            wide
          />
          {levels.length > 0 && (
            <SelectField
              name="level"
              label={words.level}
              value={level}
              options={levels.map((value) => ({ value, label: words.levels[value] ?? value }))}
              wide
            />
          )}
          {methods.length > 0 && (
            <SelectField
              name="method"
              label={words.method}
              value={method}
              options={methods.map((value) => ({ value, label: words.methods[value] }))}
              wide
            />
          )}
          <TextField
            name="issued_on"
            label={words.issuedOn}
            type="date"
            value={issuedOn}
            max={today()}
            required
            autoFocus
          />
          <TextField
            name="valid_until"
            label={words.validThrough}
            type="date"
            value={validUntil}
            required={chosen.value?.valid_until_required === true}
          />
        </div>
        <Advice
          suggestion={suggestion}
          isAsSuggested={isAsSuggested}
          take={(day) => {
            validUntil.value = day;
          }}
        />
        {method.value === "experience" && "person_id" in subject && (
          <MissingExperience personId={subject.person_id} type={type.value} />
        )}
        {isMedical ? (
          <p class="quiet small">{complianceText().medicalHint}</p>
        ) : (
          <div class="fields close">
            <TextField name="number" label={words.number} value={number} maxLength={60} />
            <TextField name="issued_by" label={words.issuedBy} value={issuedBy} maxLength={120} />
            <TextField name="remarks" label={words.remarks} value={remarks} maxLength={1000} multiline wide />
            <ScanField value={scan} />
          </div>
        )}
        <div class="form-actions">
          <Submit>{words.enterAction}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

interface AdviceProps {
  suggestion: ValiditySuggestion | undefined;
  isAsSuggested: boolean;
  take: (day: string) => void;
}

/** By which rule the expiry was filled in, or why it was not. Where another day was typed, the rule's is one click away. */
function Advice({ suggestion, isAsSuggested, take }: AdviceProps) {
  const { compliance: words } = text();
  const { reason, source, valid_until } = suggestion ?? {};
  const said = isAsSuggested ? words.suggested(source?.article) : reason ? words.obstacles[reason] : words.dates;
  return (
    <div class="title-line">
      <p class="quiet small" aria-live="polite">
        {said}
      </p>
      {valid_until && !isAsSuggested && (
        <Button kind="plain" onClick={() => take(valid_until)}>
          {words.takeSuggested(formatDay(valid_until), source?.article)}
        </Button>
      )}
    </div>
  );
}
