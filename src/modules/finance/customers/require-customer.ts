import { invalid } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";

/** Returns the id. @throws VALIDATION_ERROR no such person, or their data was erased: nothing new is booked for them */
export async function requireCustomer(
  reader: Reader<"tenant">,
  id: PersonId | null,
  path: "person_id" | "payer_id" = "person_id",
): Promise<PersonId> {
  const person = id === null ? undefined : await findPersonRow(reader, id);
  if (person === undefined) throw invalid({ path, code: "unknown", message: "There is no such person." });
  if (person.erased_at !== null)
    throw invalid({ path, code: "erased", message: "The person's data was erased. Add the person anew." });
  return person.id;
}
