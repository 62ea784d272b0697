/** A run: invoices for everybody with open charges. */
import { authorize } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { Problem } from "../../../core/errors.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { writeDraft } from "./draft.ts";
import { draftTotals } from "./draft-totals.ts";
import type { InvoiceRun } from "./invoices.schemas.ts";
import { linesFor, takeLines } from "./lines-of-charges.ts";
import { openCharges, owing } from "./open-charges.queries.ts";
import { priced } from "./price-lines.ts";
import type { Made } from "./runs.schemas.ts";
import { sellingOrganization, send } from "./send.ts";

const namedFields = ({ fields }: Problem): string[] => (fields && "fields" in fields ? [...fields.fields] : []);

/** Returns why an invoice can't be sent. @throws the error if it is something else */
function refusalOf(error: unknown): Made["refusal"] {
  if (error instanceof Problem && error.code === "CONFLICT" && error.reason)
    return { reason: error.reason, message: error.message, fields: namedFields(error) };
  throw error;
}

/** Returns what a run would make, without lines by hand. Nothing is written. */
export async function previewRun(context: TenantContext, { until }: { until: LegalDate }): Promise<Made[]> {
  authorize(context.actor, "finance:read");
  const made: Made[] = [];
  for (const { name, ...whose } of await context.tenant.read((reader) => owing(reader, { until }))) {
    const { person_id, currency } = whose;
    // What does not fit into one invoice is on the next.
    for (let skip = 0; ; ) {
      const charges = await context.tenant.read((reader) => openCharges(reader, { ...whose, until }, skip));
      if (charges.length === 0) break;
      skip += charges.length;
      const totals = await context.tenant.read(async (reader) => {
        const { lines } = await linesFor(reader, charges);
        return { charges: lines.length, ...draftTotals({}, await priced(reader, lines)) };
      });
      const { vat: _vat, ...amounts } = totals;
      if (amounts.charges > 0) made.push({ person_id, name, currency, ...amounts, invoice_id: null, refusal: null });
      await yieldToEventLoop();
    }
  }
  return made;
}

/**
 * Drafts, and sends if wanted, the invoices of everybody with open charges: one transaction for each. What can't be sent stays a
 * draft. A run that was interrupted is continued by the next.
 */
export async function runInvoices(
  context: TenantContext,
  { until, send: sends, ...terms }: InvoiceRun,
): Promise<Made[]> {
  authorize(context.actor, "finance:manage");
  const organization = await sellingOrganization(context);
  const made: Made[] = [];
  for (const { name, outside_scope, ...whose } of await context.tenant.read((reader) => owing(reader, { until })))
    for (;;) {
      const { person_id, currency } = whose;
      const make = (refusal: Made["refusal"]) =>
        context.tenant.write(async (tx): Promise<Made | undefined> => {
          const lines = await takeLines(tx, await openCharges(tx, { ...whose, outside_scope, until }));
          if (lines.length === 0) return undefined;
          const { value: draft } = await writeDraft(tx, context, { ...whose, ...terms }, lines);
          const { id, kind, net_minor, vat_minor, gross_minor } = draft;
          if (sends && refusal === null) await send(tx, context, id, organization);
          const amounts = { charges: lines.length, net_minor, vat_minor, gross_minor };
          return { person_id, name, kind, currency, ...amounts, invoice_id: id, refusal };
        });
      const one = await make(null).catch((error: unknown) => make(refusalOf(error)));
      if (one === undefined) break;
      made.push(one);
      await yieldToEventLoop();
    }
  return made;
}
