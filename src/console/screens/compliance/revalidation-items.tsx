/** What a person lacks for their revalidations. The records that are missing are entered here, and the ones that follow. */
import { useSignal } from "@preact/signals";
import type { PersonRevalidations } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { EnterRecord } from "./enter-record.tsx";
import { type Entering, RevalidationItem } from "./revalidation-item.tsx";

interface RevalidationItemsProps extends Pick<PersonRevalidations, "person_id" | "items"> {
  /** The name, where the page is about others too. */
  whose?: string;
}

export function RevalidationItems({ person_id, items, whose }: RevalidationItemsProps) {
  const entering = useSignal<Entering | undefined>(undefined);
  const enter = may("compliance:manage")
    ? (what: Entering) => {
        entering.value = what;
      }
    : undefined;
  return (
    <>
      {items.map((item) => (
        <RevalidationItem key={item.kind} {...{ item, enter }} />
      ))}
      {entering.value && (
        <EnterHere
          personId={person_id}
          whose={whose}
          entering={entering.value}
          onClose={() => {
            entering.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface EnterHereProps {
  personId: string;
  whose: string | undefined;
  entering: Entering;
  onClose: () => void;
}

function EnterHere({ personId, whose, entering, onClose }: EnterHereProps) {
  const recordId = "recordId" in entering ? entering.recordId : undefined;
  const types = useResource("GET /orgs/{orgId}/compliance/types", { query: { subject: "person" } }).data?.data;
  const before = useResource(recordId === undefined ? undefined : "GET /orgs/{orgId}/compliance/records/{recordId}", {
    path: { recordId: recordId ?? "" },
  }).data?.data;
  if (types === undefined || (recordId !== undefined && before === undefined)) return null;
  const wanted = "type" in entering ? entering.type : undefined;
  return <EnterRecord subject={{ person_id: personId }} {...{ whose, types, wanted, before, onClose }} />;
}
