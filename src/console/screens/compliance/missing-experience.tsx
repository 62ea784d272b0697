/** What a pilot still lacks by the flights of the school, for a rating that is to be made valid by experience: said before it is entered. */
import { useResource } from "../../app/resource.ts";
import { saidOf } from "./revalidation-item.tsx";
import { complianceText } from "./words.ts";

export function MissingExperience({ personId, type }: { personId: string; type: string }) {
  const words = complianceText();
  const found = useResource("GET /orgs/{orgId}/compliance/revalidations", { query: { person_id: personId } });
  const item = found.data?.data.flatMap(({ items }) => items).find(({ kind }) => kind === type);
  if (item?.state !== "missing") return null;
  const lacks = item.missing.map((one) => `${words.what[one.what]}: ${saidOf(one)}`);
  return <p class="notice warn">{words.experienceLacks(lacks.join(" · "))}</p>;
}
