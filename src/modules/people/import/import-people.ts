import { type Issue, invalid } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { Imported } from "../../../core/imports.ts";
import { readLine } from "../../../http/import-line.ts";
import type { Table } from "../../../http/import-table.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import { type Importer, importLines } from "../../../storage/import-lines.ts";
import { announce } from "../../../storage/occasions.ts";
import type { Tx } from "../../../storage/store.ts";
import { newPerson } from "../create-person.ts";
import { personAdded, personChanged } from "../people.occasions.ts";
import { personEntity } from "../people.queries.ts";
import { NewPerson } from "../people.schemas.ts";
import type { PersonRow } from "../person-rules.ts";
import { changedPerson } from "../update-person.ts";
import type { PersonLine } from "./import.schemas.ts";
import { findMatches, presentOnes } from "./person-matches.queries.ts";

/**
 * Adds and changes people from a table. The caller has read its lines.
 *
 * @throws FORBIDDEN
 */
export function importPeople(context: TenantContext, table: Table<PersonLine>, isTrial: boolean): Promise<Imported> {
  return importLines(context, importer, { ...table, isTrial });
}

const importer: Importer<PersonRow, PersonLine, NewPerson> = {
  permission: "people:manage",
  kept: ["id"],
  foundBy: ["id", "email", "licence_number"],
  affects: {
    types: ["restricted_instructor", "supervisor_id"],
    restricted_instructor: ["types", "supervisor_id"],
  },
  asNew: ({ id: _, ...raw }) => readLine<NewPerson>(NewPerson, raw),
  begin: async (context) => async (tx) => {
    // One time for all of them: they become visible together.
    const updated_at = await personEntity.changeTime(tx);
    return {
      find: (given) => findPerson(tx, given),
      async add(added) {
        const id = newId<"person">(context.clock);
        const row = await newPerson(tx, { id, created_at: tx.now, updated_at }, added);
        await addRow(tx, context, personEntity, {
          action: "person.created",
          row,
          also: () => announce(tx, personAdded, { id: row.id }),
        });
        return id;
      },
      async change(row, { id: _, ...change }) {
        const set = await changedPerson(tx, row, change, context.actor);
        await changeRow(tx, context, personEntity, {
          id: row.id,
          action: "person.updated",
          set: { ...set, updated_at },
          also: () => announce(tx, personChanged, { id: row.id }),
        });
      },
    };
  },
};

/** Finds the person of a line: by id, else by e-mail address and licence number. Of several, the active ones count. */
async function findPerson(tx: Tx<"tenant">, { id, email, licence_number }: PersonLine): Promise<PersonRow | undefined> {
  const matches = await findMatches(tx, { id, email, licence_number });
  if (id !== undefined) {
    if (!matches.some((match) => match.id === id)) throw invalid(issue("id", "unknown", "There is no such person."));
    return personEntity.row(tx, { personId: id });
  }
  if (email === undefined && licence_number === undefined)
    throw invalid(issue("", "unidentified", "Needs an e-mail address or a licence number, to find the person by."));
  const byEmail = presentOnes(matches.filter((match) => email !== undefined && match.email === email));
  const byLicence = presentOnes(
    matches.filter((match) => licence_number !== undefined && match.licence_number === licence_number),
  );
  const both = byEmail.filter((one) => byLicence.includes(one));
  const found = byEmail.length > 0 && byLicence.length > 0 ? both : [...byEmail, ...byLicence];
  const [first, ...others] = found;
  if (others.length > 0 || (first === undefined && byEmail.length + byLicence.length > 0))
    throw invalid(issue(email === undefined ? "licence_number" : "email", "ambiguous", ambiguous));
  return first && personEntity.row(tx, { personId: first });
}

const ambiguous =
  "Several people match by e-mail address or licence number. Add a column `id`, or change their records.";

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
