/** What a person lacks to revalidate a rating, a certificate or the licence, until when. Nothing of those who have none. */
import { useResource } from "../../app/resource.ts";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { RevalidationItems } from "../compliance/revalidation-items.tsx";
import { complianceText } from "../compliance/words.ts";

export function Revalidation({ personId }: { personId: string }) {
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/compliance/revalidations", {
    query: { person_id: personId },
  });
  const items = data?.data[0]?.items ?? [];
  if (items.length === 0 && problem === undefined) return null;
  return (
    <Section title={complianceText().pages.revalidations}>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      <RevalidationItems person_id={personId} items={items} />
    </Section>
  );
}
