/** Enters a payment at the desk: for an open invoice, or on account. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { amountOf, amountPattern, minorOf } from "../../app/amounts.ts";
import { today } from "../../app/days.ts";
import { formatMoney } from "../../app/format.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { financeText } from "./words.ts";

/** As they are paid at a desk. */
const methods = ["cash", "card", "bank_transfer", "direct_debit", "other"] as const;

/** No invoice: a field with an empty value is not filled in. */
const onAccount = "on-account";

interface Payable {
  id: string;
  number: string | null;
  currency: string;
  balance_minor: number;
}

interface TakePaymentProps {
  of: { id: string; name: string };
  /** The currency of what is paid on account. */
  currency: string;
  /** What can be paid, the first one first. */
  invoices: readonly Payable[];
  onClose: () => void;
}

export function TakePayment({ of: { id, name }, currency: own, invoices, onClose }: TakePaymentProps) {
  const words = financeText();
  const chosen = useSignal(invoices[0]?.id ?? onAccount);
  const amount = useSignal("");
  const method = useSignal<string>(methods[0]);
  const received = useSignal(today());
  const reference = useSignal("");
  const invoice = invoices.find((one) => one.id === chosen.value);
  const currency = invoice?.currency ?? own;
  // Another invoice has another amount.
  useEffect(() => {
    amount.value = invoice ? amountOf(invoice.balance_minor, invoice.currency) : "";
  }, [chosen.value]);

  const take = async () => {
    const { data } = await call("POST /orgs/{orgId}/finance/payments", {
      body: {
        ...(invoice ? { invoice_id: invoice.id } : { person_id: id }),
        amount_minor: minorOf(amount.value, currency),
        method: methods.find((one) => one === method.value) ?? "other",
        received_on: received.value,
        ...(reference.value !== "" && { reference: reference.value }),
      },
    });
    await changed("/finance", "/people/", "/today");
    toast(words.taken(formatMoney(data.amount_minor, data.currency)));
    onClose();
  };

  return (
    <Dialog title={words.takeTitle(name)} onClose={onClose}>
      <Form onSubmit={take}>
        <SelectField
          name="invoice_id"
          label={words.for}
          value={chosen}
          options={[
            ...invoices.map((one) => ({
              value: one.id,
              label: `${one.number ?? ""} · ${formatMoney(one.balance_minor, one.currency)}`,
            })),
            { value: onAccount, label: words.onAccount },
          ]}
        />
        <TextField
          name="amount_minor"
          label={words.amount}
          value={amount}
          inputMode="decimal"
          pattern={amountPattern}
          format="decimal"
          hint={invoice ? words.amountHint : undefined}
          aside={<span class="quiet small">{currency}</span>}
          required
          autoFocus
        />
        <SelectField
          name="method"
          label={words.method}
          value={method}
          options={methods.map((value) => ({ value, label: words.methods[value] }))}
        />
        <TextField name="received_on" label={words.received} type="date" value={received} max={today()} required />
        <TextField name="reference" label={words.reference} value={reference} maxLength={140} />
        <div class="form-actions">
          <Submit busyText={words.taking}>{words.takeSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
