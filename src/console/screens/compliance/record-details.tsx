/** All that a record says, to be renewed or withdrawn. */
import { useSignal } from "@preact/signals";
import type { ComplianceRecord, RecordType } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { CheckField, Form, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { Scans } from "./scans.tsx";
import { nameOfType } from "./type-names.ts";
import { complianceText } from "./words.ts";

interface RecordDetailsProps {
  record: ComplianceRecord;
  /** Whose it is, where the page is about others too. */
  whose?: string | undefined;
  types: readonly RecordType[];
  /** Enters the record that follows it. Without it, the record is only read. */
  onRenew: (() => void) | undefined;
  onClose: () => void;
}

export function RecordDetails({ record, whose, types, onRenew, onClose }: RecordDetailsProps) {
  const { compliance: words } = text();
  const isWithdrawing = useSignal(false);
  const { level, issued_on, valid_until, method, number, issued_by, remarks } = record;
  const title = nameOfType(types, record.type);
  if (isWithdrawing.value) return <Withdrawal {...{ record, whose, title, onClose }} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {whose !== undefined && <p class="quiet">{whose}</p>}
      <Facts
        facts={[
          { label: words.level, value: level && (words.levels[level] ?? level) },
          { label: words.issuedOn, value: formatDay(issued_on) },
          { label: words.validThrough, value: valid_until === null ? words.unlimited : formatDay(valid_until) },
          { label: words.method, value: method && words.methods[method] },
          { label: words.number, value: number },
          { label: words.issuedBy, value: issued_by },
          { label: words.remarks, value: remarks },
        ]}
      />
      {record.type === "medical" ? (
        <p class="quiet small">{complianceText().medicalHint}</p>
      ) : (
        <Scans recordId={record.id} canAdd={onRenew !== undefined} />
      )}
      {onRenew && (
        <div class="form-actions">
          <Button kind="primary" onClick={onRenew}>
            {words.renew}
          </Button>
          <Button
            onClick={() => {
              isWithdrawing.value = true;
            }}
          >
            {words.withdraw}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

interface WithdrawalProps extends Pick<RecordDetailsProps, "record" | "whose" | "onClose"> {
  title: string;
}

function Withdrawal({ record, whose, title, onClose }: WithdrawalProps) {
  const { compliance: words, flights } = text();
  const reason = useSignal("");
  const isMistake = useSignal(false);
  const withdraw = async () => {
    await act(
      "POST /orgs/{orgId}/compliance/records/{recordId}/withdraw",
      { path: { recordId: record.id }, body: { reason: reason.value, entered_by_mistake: isMistake.value } },
      record,
    );
    onClose();
    await changed("/compliance", "/clearance", "/aircraft", "/today");
    toast(words.withdrawn(title));
  };
  return (
    <Dialog title={words.withdrawTitle(title)} onClose={onClose}>
      {whose !== undefined && <p class="quiet">{whose}</p>}
      <Form onSubmit={withdraw}>
        <p class="quiet">{words.withdrawHint}</p>
        <TextField name="reason" label={flights.reason} value={reason} maxLength={1000} required multiline autoFocus />
        <CheckField name="entered_by_mistake" label={words.byMistake} value={isMistake} />
        <div class="form-actions">
          <Submit kind="danger">{words.withdraw}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
