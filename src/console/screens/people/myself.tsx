/** The caller's own page, for those who see nobody else's. */
import { text } from "../../app/language.ts";
import { organization } from "../../app/session.ts";
import { Empty } from "../../ui/states.tsx";
import PersonPage from "./person.tsx";

export default function Myself() {
  const { people } = text();
  const personId = organization.value?.person_id;
  return personId ? <PersonPage personId={personId} /> : <Empty title={people.noOwn}>{people.noOwnHint}</Empty>;
}
