/** The documents of the fleet: what an aircraft lacks, and what expires next, as the ARC and the insurance. */
import type { ComplianceEvaluation, ComplianceRecord } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Row, Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { nameOfRecord } from "../compliance/name-of-record.ts";
import { Validity } from "../compliance/standing.tsx";
import { nameOfType } from "../compliance/type-names.ts";
import { maintenanceText } from "./words.ts";

export function FleetDocuments() {
  const words = maintenanceText();
  const expiries = useResource("GET /orgs/{orgId}/compliance/expiries", { query: { subject: "aircraft", limit: 50 } });
  const lacking = useResource("GET /orgs/{orgId}/compliance/evaluations", {
    query: { status: "not_compliant", limit: 500 },
  });
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query: { subject: "aircraft" } }).data?.data ?? [];
  const expiring = ({ id, aircraft, valid_until, ...record }: ComplianceRecord): Row => ({
    id,
    title: nameOfRecord(types, record),
    href: `/app/aircraft/${aircraft?.id ?? ""}`,
    detail: [aircraft?.registration, valid_until && text().compliance.validUntil(formatDay(valid_until))]
      .filter(Boolean)
      .join(" · "),
    aside: <Validity until={valid_until} soon={types.find(({ key }) => key === record.type)?.warning_days ?? 30} />,
  });
  const missing = ({ aircraft_id, aircraft_registration, reasons }: ComplianceEvaluation): Row[] =>
    reasons
      .filter(({ state }) => aircraft_id !== null && state === "missing")
      .map(({ requirement_id, any_of }) => ({
        id: `${aircraft_id} ${requirement_id}`,
        title: any_of.map((key) => nameOfType(types, key)).join(text().compliance.or),
        href: `/app/aircraft/${aircraft_id}`,
        detail: aircraft_registration,
        aside: <Badge tone="bad">{text().compliance.missing}</Badge>,
      }));
  return (
    <Section title={words.documents}>
      <Loaded resource={expiries}>
        {({ data }) => (
          <Rows
            label={words.documents}
            empty={words.noDocuments}
            most={5}
            rows={[...(lacking.data?.data ?? []).flatMap(missing), ...data.map(expiring)]}
          />
        )}
      </Loaded>
    </Section>
  );
}
