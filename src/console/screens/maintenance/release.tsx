/** The certificate of release to service (ML.A.801), as it was signed. */
import type { WorkOrder } from "../../api/operations.ts";
import { formatCount, formatCounter, formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { maintenanceText } from "./words.ts";

/** A counter that has never run is that of an instrument which the aircraft does not have. */
const readOf = (hours: string): string | null => (Number(hours) === 0 ? null : formatCounter(hours));

export type Release = NonNullable<WorkOrder["release"]>;

export function Released({ order, release }: { order: WorkOrder; release: Release }) {
  const words = maintenanceText();
  const { aircraft } = text();
  const { approval, maintenance_data } = release;
  return (
    <Section title={words.certificate}>
      {approval && <p class="quiet small">{words.statement(approval.kind)}</p>}
      <Facts
        facts={[
          { label: words.orderNumber, value: order.number },
          { label: aircraft.registration, value: order.aircraft.registration },
          { label: aircraft.model, value: order.aircraft.model },
          { label: aircraft.serialNumber, value: order.aircraft.serial_number ?? words.noSerial },
          { label: words.releasedBy, value: release.by },
          { label: words.licence, value: release.licence_number },
          {
            label: words.approval,
            value: approval && [words.approvalKinds[approval.kind], approval.reference].filter(Boolean).join(" "),
          },
          { label: words.maintenanceData, value: maintenance_data },
          { label: words.doneOn, value: formatDay(release.on) },
          { label: aircraft.hobbs, value: readOf(release.hobbs) },
          { label: aircraft.tacho, value: readOf(release.tacho) },
          { label: aircraft.airframe, value: formatDuration(release.airframe_minutes) },
          { label: aircraft.landings, value: formatCount(release.landings) },
        ]}
      />
    </Section>
  );
}
