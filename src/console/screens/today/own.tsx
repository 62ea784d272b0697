/** What the account itself has to do: flights to approve, drafts, signoffs, what is owed. */
import type { Flight, Today } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDate, formatDay, formatDuration, formatMoney, formatRoute, formatTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Facts } from "../../ui/facts.tsx";
import { type Row, Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { addressOf as invoiceAddress } from "../finance/address.ts";
import { oddCount } from "../flights/parts.tsx";
import { waitingListAddress } from "../planning/shown.ts";

type Part<Name extends keyof Today> = NonNullable<Today[Name]>;

/** `Flights to approve 12`: the rows may be fewer. */
export const titleWith = (title: string, count: number): string => (count > 1 ? `${title} (${count})` : title);

const flightRow = (flight: Flight): Row => ({
  id: flight.id,
  href: `/app/flights/${flight.id}`,
  title: [flight.aircraft.registration, formatRoute(flight.departure, flight.arrival)].filter(Boolean).join(" · "),
  detail: [
    flight.off_block_at && `${formatDate(flight.off_block_at)} ${formatTime(flight.off_block_at)}`,
    flight.block_minutes !== null && formatDuration(flight.block_minutes),
    flight.crew.map(({ name }) => name).join(", "),
  ]
    .filter(Boolean)
    .join(" · "),
});

export function Approvals({ approvals }: { approvals: Part<"approvals"> }) {
  const { today: words } = text();
  return (
    <Section
      title={titleWith(words.approvals, approvals.count)}
      actions={
        <a class="button plain" href="/app/flights/approvals">
          {words.approve}
        </a>
      }
    >
      <Rows
        label={words.approvals}
        empty=""
        rows={approvals.rows.map((flight) => {
          const odd = oddCount(flight);
          return { ...flightRow(flight), aside: odd > 0 && <Badge tone="warn">{words.odd(odd)}</Badge> };
        })}
      />
    </Section>
  );
}

export function Drafts({ drafts }: { drafts: Part<"drafts"> }) {
  const { today: words } = text();
  return (
    <Section title={titleWith(words.drafts, drafts.count)}>
      <Rows
        label={words.drafts}
        empty=""
        rows={drafts.rows.map((flight) => ({
          ...flightRow(flight),
          aside: flight.status === "rejected" && <Badge tone="bad">{words.rejected}</Badge>,
        }))}
      />
    </Section>
  );
}

/** The training in which the caller confirms grades: the one that goes on, or the last. */
function useOwnTraining(isAsked: boolean): string {
  const studentId = organization.value?.person_id;
  const enrollments = useResource(
    isAsked && studentId ? "GET /orgs/{orgId}/training/enrollments" : undefined,
    studentId ? { query: { student_id: studentId } } : {},
  ).data?.data;
  const enrollment = enrollments?.find(({ status }) => status === "active") ?? enrollments?.at(-1);
  return enrollment ? `/app/training/${enrollment.id}?show=grades` : "/app/myself";
}

/** Numbers that need one look. Those whose screen there is not yet don't look like a link. */
export function Waiting({ today: { signoffs, failing_endpoints, wishes } }: { today: Today }) {
  const { today: words } = text();
  const training = useOwnTraining(signoffs !== null && signoffs > 0);
  const facts = [
    { label: words.signoffs, count: signoffs, href: training },
    { label: words.wishes, count: wishes, href: may("planning:read") ? waitingListAddress : undefined },
    { label: words.failingEndpoints, count: failing_endpoints },
  ]
    .filter(({ count }) => count !== null && count > 0)
    .map(({ label, count, href }) => ({ label, value: href === undefined ? count : <a href={href}>{count}</a> }));
  return facts.length === 0 ? null : (
    <Section title={words.waiting}>
      <div class="counts">
        <Facts facts={facts} />
      </div>
    </Section>
  );
}

/** For those who fly here: what they have to pay, and what is not invoiced yet. */
export function Account({ account: { person_id, balances, open_invoices } }: { account: Part<"account"> }) {
  const { today: words, person } = text();
  const isEven = balances.every(({ available_minor }) => available_minor === 0) && open_invoices.length === 0;
  if (isEven && may("people:read")) return null;
  return (
    <Section title={words.account}>
      <Rows
        label={words.account}
        empty=""
        rows={[
          ...balances.map(({ currency, balance_minor, open_charges_minor }) => ({
            id: currency,
            title: formatMoney(Math.abs(balance_minor), currency),
            href: may("people:read_own") && !may("people:read") ? "/app/myself" : `/app/people/${person_id}`,
            detail: [
              balance_minor < 0 ? words.owed : balance_minor > 0 ? words.credit : words.even,
              open_charges_minor !== 0 && person.openCharges(formatMoney(open_charges_minor, currency)),
            ]
              .filter(Boolean)
              .join(" · "),
          })),
          ...open_invoices.map(({ id, number, due_on, balance_minor, currency }) => ({
            id,
            title: number ?? "",
            href: invoiceAddress(id),
            detail: due_on !== null && daysUntil(due_on) >= 0 && person.dueOn(formatDay(due_on)),
            aside: (
              <>
                {due_on !== null && daysUntil(due_on) < 0 && (
                  <Badge tone="bad">{person.overdueSince(formatDay(due_on))}</Badge>
                )}
                {formatMoney(balance_minor, currency)}
              </>
            ),
          })),
        ]}
      />
    </Section>
  );
}
