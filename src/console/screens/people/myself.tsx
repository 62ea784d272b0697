/** The caller's own page, for those who see nobody else's. */
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import PersonPage from "./person.tsx";

export default function Myself() {
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/people", { query: { limit: 1 } });
  const { people } = text();
  if (data === undefined)
    return problem === undefined ? <Skeleton lines={6} /> : <ProblemNotice error={problem} retry={reload} />;
  const [own] = data.data;
  return own ? <PersonPage personId={own.id} /> : <Empty title={people.noOwn}>{people.noOwnHint}</Empty>;
}
