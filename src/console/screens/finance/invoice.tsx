/** One invoice or credit note: what it charges, what is paid of it, its document, and what may be done with it. */
import type { Invoice } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { formatDay, formatMoney, formatPercent } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { addressOf } from "./address.ts";
import { InvoiceMoves } from "./moves.tsx";
import { lineDetail } from "./quantity.ts";
import { InvoiceStatus, titleOf } from "./status.tsx";
import { financeText } from "./words.ts";

export default function InvoicePage({ invoiceId = "" }: Parameters) {
  const words = financeText();
  const path = { invoiceId };
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/finance/invoices/{invoiceId}", { path });
  const invoice = data?.data;
  if (!invoice)
    return problem === undefined ? <Skeleton lines={8} /> : <ProblemNotice error={problem} retry={reload} />;
  const hasDocument = invoice.number !== null && invoice.content_removed_at === null;
  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{titleOf(invoice)}</h1>
            <InvoiceStatus of={invoice} />
          </div>
          <p class="quiet">
            {invoice.person_name} · {formatMoney(invoice.gross_minor, invoice.currency)}
          </p>
        </div>
        <div class="actions">
          {hasDocument && (
            <Button
              icon="download"
              busyText={words.fetching}
              onClick={() =>
                download("GET /orgs/{orgId}/finance/invoices/{invoiceId}/document", {
                  path,
                  name: `${invoice.number}.pdf`,
                })
              }
            >
              {words.document}
            </Button>
          )}
          {may("finance:manage") && <InvoiceMoves invoice={invoice} />}
        </div>
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      <Notices invoice={invoice} />
      <div class="columns">
        <div>
          <Section title={words.lines}>
            <Rows
              label={words.lines}
              empty={words.noLines}
              most={60}
              rows={invoice.lines.map((line) => ({
                id: line.id,
                title: line.description,
                detail: lineDetail(line, invoice.currency),
                aside: formatMoney(line.net_minor, invoice.currency),
              }))}
            />
          </Section>
          <Settled invoice={invoice} />
        </div>
        <div>
          <Section title={words.sums}>
            <Sums invoice={invoice} />
          </Section>
          <Section title={words.about}>
            <About invoice={invoice} />
          </Section>
        </div>
      </div>
    </>
  );
}

function Notices({ invoice: { void_reason, content_removed_at } }: { invoice: Invoice }) {
  const words = financeText();
  return (
    <>
      {void_reason !== null && (
        <div class="notice warn">
          <strong>{words.voidBecause}</strong>
          <span class="as-written">{void_reason}</span>
        </div>
      )}
      {content_removed_at !== null && <div class="notice info">{words.contentRemoved}</div>}
    </>
  );
}

function Sums({ invoice }: { invoice: Invoice }) {
  const words = financeText();
  const { currency, status, net_minor, vat, gross_minor, paid_minor, credited_minor, balance_minor } = invoice;
  const money = (minor: number) => formatMoney(minor, currency);
  const isOpen = status === "sent" || status === "overdue";
  return (
    <Facts
      facts={[
        { label: words.net, value: money(net_minor) },
        ...vat
          .filter(({ vat_minor }) => vat_minor !== 0)
          .map(({ vat_rate, vat_minor }) => ({
            label: words.vat(formatPercent(Number(vat_rate))),
            value: money(vat_minor),
          })),
        { label: words.gross, value: <strong>{money(gross_minor)}</strong> },
        { label: words.paid, value: paid_minor !== 0 && money(-paid_minor) },
        { label: words.credited, value: credited_minor !== 0 && money(-credited_minor) },
        { label: words.left, value: isOpen && <strong>{money(balance_minor)}</strong> },
      ]}
    />
  );
}

function About({ invoice }: { invoice: Invoice }) {
  const words = financeText();
  const { person_id, person_name, issued_date, due_on, note, status, created_by_name, corrects } = invoice;
  const { cancels_id, cancels_number, cancelled_by_id, cancelled_by_number } = invoice;
  const link = (id: string | null, number: string | null) => id !== null && <a href={addressOf(id)}>{number}</a>;
  return (
    <Facts
      facts={[
        {
          label: words.person,
          value: may("people:read") ? <a href={`/app/people/${person_id}`}>{person_name}</a> : person_name,
        },
        { label: words.issued, value: issued_date && formatDay(issued_date) },
        { label: words.due, value: due_on && formatDay(due_on) },
        { label: words.by, value: status === "draft" && created_by_name },
        { label: words.note, value: note && <span class="as-written">{note}</span> },
        {
          label: words.corrects,
          value: corrects.map(({ id, number }) => (
            <div key={id}>
              <a href={addressOf(id)}>{number}</a>
            </div>
          )),
        },
        { label: words.cancels, value: link(cancels_id, cancels_number) },
        { label: words.cancelledBy, value: link(cancelled_by_id, cancelled_by_number) },
      ]}
    />
  );
}

/** What was paid and credited, and given back. */
function Settled({ invoice: { settlements, refunds, currency } }: { invoice: Invoice }) {
  const words = financeText();
  if (settlements.length + refunds.length === 0) return null;
  return (
    <Section title={words.payments}>
      <Rows
        label={words.payments}
        empty={text().list.noMatch}
        rows={[
          ...settlements.map(({ payment_id, credit_note_id, credit_note_number, amount_minor, on }) => ({
            id: `${payment_id}${credit_note_id}${on}`,
            title: credit_note_id === null ? formatDay(on) : `${words.creditNote} ${credit_note_number}`,
            ...(credit_note_id !== null && { href: addressOf(credit_note_id), detail: formatDay(on) }),
            aside: formatMoney(amount_minor, currency),
          })),
          ...refunds.map(({ id, amount_minor, method, refunded_on, reason }) => ({
            id,
            title: formatDay(refunded_on),
            detail: `${words.refund(reason)} · ${words.methods[method]}`,
            aside: formatMoney(-amount_minor, currency),
          })),
        ]}
      />
    </Section>
  );
}
