import type { Invoice } from "../../api/operations.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { financeText } from "./words.ts";

type Shown = Pick<Invoice, "status" | "kind">;

const tones: Record<Invoice["status"], Tone> = {
  draft: "neutral",
  sent: "info",
  paid: "good",
  overdue: "bad",
  void: "neutral",
};

/** A credit note is never paid: it is settled. */
export function InvoiceStatus({ of: { status, kind } }: { of: Shown }) {
  const words = financeText();
  return (
    <Badge tone={tones[status]}>
      {status === "paid" && kind !== "invoice" ? words.settled : words.statuses[status]}
    </Badge>
  );
}

export function titleOf({ number, kind }: Pick<Invoice, "number" | "kind">): string {
  const words = financeText();
  return number === null ? words.drafts[kind] : `${words.kinds[kind]} ${number}`;
}

/** Whether something of it can be paid. */
export const isPayable = ({ status, kind, balance_minor }: Shown & Pick<Invoice, "balance_minor">): boolean =>
  kind === "invoice" && (status === "sent" || status === "overdue") && balance_minor > 0;
