/** Webhooks: how many wait, and where endpoints fail. No addresses and no bodies. */
import { formatCount, formatSpan } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { Figures } from "./figures.tsx";
import { installationText } from "./words.ts";

export function Deliveries() {
  const words = installationText();
  const deliveries = useResource("GET /installation/deliveries");
  return (
    <Section title={words.deliveries}>
      <Loaded resource={deliveries} lines={4}>
        {({ data: { in_flight, waiting, attempts, organizations } }) => (
          <>
            <Figures
              figures={[
                { label: words.inFlight, count: in_flight },
                { label: words.waiting, count: waiting },
                { label: words.delivered, count: attempts.succeeded ?? 0 },
                { label: words.failedAttempts, count: failedOf(attempts) },
              ]}
            />
            <Rows
              label={words.deliveries}
              empty={words.noDeliveries}
              rows={organizations.map(
                ({ organization_id, organization_name, backlog, lag_seconds, failing_endpoints }) => ({
                  id: organization_id,
                  title: organization_name ?? organization_id,
                  detail: [
                    words.backlog(formatCount(backlog)),
                    lag_seconds > 0 && words.lag(formatSpan(lag_seconds * 1000)),
                  ]
                    .filter(Boolean)
                    .join(", "),
                  aside: failing_endpoints > 0 && (
                    <Badge tone="warn">{words.failingEndpoints(failing_endpoints)}</Badge>
                  ),
                }),
              )}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const failedOf = ({ succeeded: _, ...failed }: Readonly<Record<string, number>>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);
