/** What a flight costs, or will cost: for those who may see it. */
import type { Flight, FlightCost } from "../../api/operations.ts";
import { formatMoney } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";

/** @param flight as it is stored. With its `updated_at` as key, a change of it asks anew. */
export function Price({ flight }: { flight: Pick<Flight, "id" | "status"> }) {
  const { flights: words } = text();
  const isOpen = flight.status === "draft" || flight.status === "submitted" || flight.status === "rejected";
  const path = { flightId: flight.id };
  // Who sees only what they pay asks about their own flights: those of a student. An instructor is on board without paying.
  const mayAsk = may("finance:read") || (may("finance:own") && !may("flights:submit_any"));
  const { data } = useResource(isOpen && mayAsk ? "GET /orgs/{orgId}/finance/flights/{flightId}/preview" : undefined, {
    path,
  });
  if (!data) return null;
  return (
    <section class="section amounts" aria-labelledby="price">
      <h2 id="price">{words.cost}</h2>
      <CostLines cost={data.data} />
    </section>
  );
}

/** In the reader's language; the stored ones are in the payer's. What the school wrote for a rate stays as it is. */
function descriptionOf({ kind, about, package_name, description }: FlightCost["lines"][number]): string {
  const { costLines } = text().flights;
  const composed = (["aircraft", "instructor", "landing", "fuel", "fuel_surcharge"] as const).find(
    (one) => one === kind,
  );
  if (about === null || composed === undefined) return description;
  return [costLines[composed](about).trim(), package_name].filter(Boolean).join(", ");
}

export function CostLines({ cost: { lines, missing, free, currency, gross_minor } }: { cost: FlightCost }) {
  const { flights: words } = text();
  return (
    <>
      {free && <p>{words.free}</p>}
      <dl class="facts">
        {lines.map((line) => (
          <div key={`${line.kind} ${line.description}`}>
            <dt>{descriptionOf(line)}</dt>
            <dd class="number">{formatMoney(line.gross_minor, line.currency)}</dd>
          </div>
        ))}
        {lines.length > 0 && (
          <div class="sum">
            <dt>{words.sum}</dt>
            <dd class="number">{formatMoney(gross_minor, currency)}</dd>
          </div>
        )}
      </dl>
      {missing.length > 0 && (
        <p class="quiet small">
          {words.costMissing} {missing.map((what) => words.missing[what]).join(", ")}.
        </p>
      )}
    </>
  );
}
