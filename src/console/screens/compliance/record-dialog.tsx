/** A record where the page is about others too: whose it is, what it says, and what can be done with it. */
import { useSignal } from "@preact/signals";
import type { ComplianceRecord } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { EnterRecord } from "./enter-record.tsx";
import { RecordDetails } from "./record-details.tsx";
import type { Subject } from "./subject.ts";

export function RecordDialog({ record, onClose }: { record: ComplianceRecord; onClose: () => void }) {
  const isRenewing = useSignal(false);
  const types = useResource("GET /orgs/{orgId}/compliance/types").data?.data ?? [];
  const subject = subjectOf(record);
  const whose = record.person?.name ?? record.aircraft?.registration;
  if (isRenewing.value && subject) {
    const about = "person_id" in subject ? "person" : "aircraft";
    return (
      <EnterRecord
        {...{ subject, whose, onClose, before: record, wanted: undefined }}
        types={types.filter((type) => type.subject === about)}
      />
    );
  }
  return (
    <RecordDetails
      {...{ record, whose, types, onClose }}
      onRenew={
        manages(record)
          ? () => {
              isRenewing.value = true;
            }
          : undefined
      }
    />
  );
}

const manages = ({ person }: ComplianceRecord): boolean =>
  person ? may("compliance:manage") : may("compliance:manage", "compliance:manage_aircraft");

function subjectOf({ person, aircraft }: ComplianceRecord): Subject | undefined {
  if (person) return { person_id: person.id };
  return aircraft ? { aircraft_id: aircraft.id } : undefined;
}
