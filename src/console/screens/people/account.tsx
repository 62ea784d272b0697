/** What a person owes the school, or has paid ahead. */
import { daysUntil } from "../../app/days.ts";
import { formatDay, formatMoney } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";

export function Account({ personId }: { personId: string }) {
  const { person: words } = text();
  const account = useResource("GET /orgs/{orgId}/people/{personId}/account", { path: { personId } });
  return (
    <Section title={words.balance}>
      <Loaded resource={account}>
        {({ data: { balances, open_invoices } }) => (
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
            {open_invoices.length > 0 && (
              <Rows
                label={words.invoices}
                empty={words.noInvoices}
                rows={open_invoices.map(({ id, number, due_on, balance_minor, currency }) => ({
                  id,
                  title: number ?? "",
                  detail: due_on !== null && daysUntil(due_on) >= 0 && words.dueOn(formatDay(due_on)),
                  aside: (
                    <>
                      {due_on !== null && daysUntil(due_on) < 0 && (
                        <Badge tone="bad">{words.overdueSince(formatDay(due_on))}</Badge>
                      )}
                      {formatMoney(balance_minor, currency)}
                    </>
                  ),
                }))}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
