/** What a person owes the school, or has paid ahead: their invoices and payments, and at the desk new ones. */
import { useSignal } from "@preact/signals";
import type { ListedInvoice, Payment, PersonAccount } from "../../api/operations.ts";
import { daysUntil, today } from "../../app/days.ts";
import { formatDay, formatMoney } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Download } from "../../ui/download.tsx";
import { failed } from "../../ui/failed.ts";
import { type Row, Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { addressOf } from "../finance/address.ts";
import { InvoiceStatus, titleOf } from "../finance/status.tsx";
import { TakePayment } from "../finance/take-payment.tsx";
import { financeText } from "../finance/words.ts";

const statement = "GET /orgs/{orgId}/people/{personId}/account/statement";

export function Account({ personId, isErased = false }: { personId: string; isErased?: boolean }) {
  const { person: words } = text();
  const money = financeText();
  const path = { personId };
  const account = useResource("GET /orgs/{orgId}/people/{personId}/account", { path });
  const invoices = useResource("GET /orgs/{orgId}/finance/invoices", { query: { person_id: personId, limit: 50 } });
  const payments = useResource("GET /orgs/{orgId}/finance/payments", { query: { person_id: personId, limit: 20 } });
  const isTaking = useSignal(false);
  const take = (is: boolean) => () => {
    isTaking.value = is;
  };
  const known = account.data?.data;
  /** It has what is not yet invoiced. */
  const hasDraft = invoices.data?.data.some(({ status }) => status === "draft") === true;
  const draft = async () => {
    const body = { person_id: personId, until: today() };
    const { data } = await call("POST /orgs/{orgId}/finance/invoices", { body });
    await changed("/finance", "/people/", "/today");
    go(addressOf(data.id));
  };
  return (
    <Section
      title={words.balance}
      actions={
        <Download from={statement} path={path} as="pdf" name="statement.pdf">
          {money.statement}
        </Download>
      }
    >
      <Loaded resource={account}>
        {({ data }) => (
          <>
            <Balances account={data} />
            {may("finance:manage") && !isErased && (
              <div class="form-actions">
                <Button onClick={take(true)}>{money.take}</Button>
                {hasOpenCharges(data) && !hasDraft && (
                  <Button busyText={money.drafting} onClick={() => draft().catch(failed)}>
                    {money.newInvoice}
                  </Button>
                )}
              </div>
            )}
            {invoices.data && <Invoices invoices={invoices.data.data} account={data} />}
            {payments.data && payments.data.data.length > 0 && <Payments payments={payments.data.data} />}
          </>
        )}
      </Loaded>
      {isTaking.value && known && (
        <TakePayment
          of={{ id: personId, name: known.person_name }}
          currency={known.balances[0]?.currency ?? ""}
          invoices={known.open_invoices.filter(({ balance_minor }) => balance_minor > 0)}
          onClose={take(false)}
        />
      )}
    </Section>
  );
}

const hasOpenCharges = ({ balances }: PersonAccount): boolean =>
  balances.some(({ open_charges_minor }) => open_charges_minor !== 0);

function Balances({ account: { balances } }: { account: PersonAccount }) {
  const { person: words } = text();
  return (
    <>
      {balances.map(({ currency, balance_minor, open_charges_minor }) => (
        <div key={currency}>
          <dl class="figures">
            <div>
              <dt>{words.balances[balance_minor < 0 ? "owed" : balance_minor > 0 ? "credit" : "even"]}</dt>
              <dd>{formatMoney(Math.abs(balance_minor), currency)}</dd>
            </div>
          </dl>
          {open_charges_minor !== 0 && (
            <p class="quiet small">{words.openCharges(formatMoney(open_charges_minor, currency))}</p>
          )}
        </div>
      ))}
    </>
  );
}

/** Drafts and what is to pay come first, each in the order in which it is due. */
function Invoices({ invoices, account }: { invoices: readonly ListedInvoice[]; account: PersonAccount }) {
  const { person: words } = text();
  const open = new Set(account.open_invoices.map(({ id }) => id));
  const drafts = invoices.filter(({ status }) => status === "draft");
  const others = invoices.filter(({ id, status }) => status !== "draft" && !open.has(id));
  const rows: Row[] = [
    ...drafts.map(rowOf),
    ...account.open_invoices.map(({ id, number, due_on, balance_minor, currency }) => ({
      id,
      title: number ?? "",
      href: addressOf(id),
      detail: due_on !== null && daysUntil(due_on) >= 0 && words.dueOn(formatDay(due_on)),
      aside: (
        <>
          {due_on !== null && daysUntil(due_on) < 0 && (
            <Badge tone="bad">{words.overdueSince(formatDay(due_on))}</Badge>
          )}
          {formatMoney(balance_minor, currency)}
        </>
      ),
    })),
    ...others.map(rowOf),
  ];
  if (rows.length === 0) return null;
  // All that needs something, and one that does not.
  const most = Math.min(6, drafts.length + open.size + 1);
  return (
    <>
      <h3>{words.invoices}</h3>
      <Rows label={words.invoices} empty="" rows={rows} most={most} />
    </>
  );
}

const rowOf = (invoice: ListedInvoice): Row => ({
  id: invoice.id,
  title: invoice.kind === "invoice" && invoice.number !== null ? invoice.number : titleOf(invoice),
  href: addressOf(invoice.id),
  detail: invoice.issued_date && formatDay(invoice.issued_date),
  aside: (
    <>
      <InvoiceStatus of={invoice} />
      {formatMoney(invoice.gross_minor, invoice.currency)}
    </>
  ),
});

function Payments({ payments }: { payments: readonly Payment[] }) {
  const words = financeText();
  return (
    <>
      <h3>{words.payments}</h3>
      <Rows
        label={words.payments}
        empty=""
        most={2}
        rows={payments.map((payment) => ({
          id: payment.id,
          title: formatDay(payment.received_on),
          detail: whatFor(payment),
          aside: formatMoney(payment.amount_minor, payment.currency),
        }))}
      />
    </>
  );
}

function whatFor({ method, allocations, on_account_minor, refunded_minor, currency }: Payment): string {
  const words = financeText();
  return [
    words.methods[method],
    ...allocations.map(({ invoice_number }) => words.settles(invoice_number ?? "")),
    on_account_minor > 0 && words.keptOnAccount(formatMoney(on_account_minor, currency)),
    refunded_minor > 0 && words.givenBack(formatMoney(refunded_minor, currency)),
  ]
    .filter(Boolean)
    .join(" · ");
}
