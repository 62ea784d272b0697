/** What the office does with an invoice: a draft is sent or discarded, what was sent is paid or cancelled. */
import { useSignal } from "@preact/signals";
import type { Invoice } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReasonDialog } from "../flights/reason-dialog.tsx";
import { addressOf } from "./address.ts";
import { isPayable } from "./status.tsx";
import { TakePayment } from "./take-payment.tsx";
import { financeText } from "./words.ts";

/** What shows an invoice. */
const shows = ["/finance", "/people/", "/today"] as const;

type Asking = "send" | "discard" | "cancel" | "pay" | undefined;

export function InvoiceMoves({ invoice }: { invoice: Invoice }) {
  const words = financeText();
  const asking = useSignal<Asking>(undefined);
  const ask = (what: Asking) => () => {
    asking.value = what;
  };
  const close = ask(undefined);
  const { status, number, person_id, person_name, paid_minor, credited_minor, kind } = invoice;
  const path = { invoiceId: invoice.id };
  const isUnsettled = paid_minor === 0 && credited_minor === 0;

  const send = async () => {
    const { data } = await act("POST /orgs/{orgId}/finance/invoices/{invoiceId}/send", { path }, invoice);
    await changed(...shows);
    toast(words.sent(data.number ?? ""));
  };
  const discard = async (reason: string) => {
    await act("POST /orgs/{orgId}/finance/invoices/{invoiceId}/void", { path, body: { reason } }, invoice);
    close();
    await changed(...shows);
    toast(words.discarded);
  };
  const cancel = async (reason: string) => {
    const { data } = await act(
      "POST /orgs/{orgId}/finance/invoices/{invoiceId}/cancel",
      { path, body: { reason } },
      invoice,
    );
    close();
    await changed(...shows);
    toast(words.cancelled(data.number ?? ""));
    go(addressOf(data.id));
  };

  return (
    <>
      {status === "draft" && (
        <>
          <Button onClick={ask("discard")}>{words.discard}</Button>
          <Button kind="primary" onClick={ask("send")}>
            {words.send}
          </Button>
        </>
      )}
      {(status === "sent" || status === "overdue") && kind === "invoice" && isUnsettled && (
        <Button kind="danger" onClick={ask("cancel")}>
          {words.cancel}
        </Button>
      )}
      {isPayable(invoice) && (
        <Button kind="primary" onClick={ask("pay")}>
          {words.take}
        </Button>
      )}
      {asking.value === "send" && (
        <Confirm title={words.sendTitle} action={words.send} onConfirm={send} onClose={close}>
          {words.sendHint(person_name)}
        </Confirm>
      )}
      {asking.value === "discard" && (
        <ReasonDialog
          title={words.discardTitle}
          hint={words.discardHint}
          action={words.discard}
          onGive={discard}
          onClose={close}
        />
      )}
      {asking.value === "cancel" && (
        <ReasonDialog
          title={words.cancelTitle(number ?? "")}
          hint={words.cancelHint}
          action={words.cancel}
          onGive={cancel}
          onClose={close}
        />
      )}
      {asking.value === "pay" && (
        <TakePayment
          of={{ id: person_id, name: person_name }}
          currency={invoice.currency}
          invoices={[invoice]}
          onClose={close}
        />
      )}
    </>
  );
}
