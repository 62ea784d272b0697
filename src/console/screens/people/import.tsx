/** People from a CSV file. */
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { ImportPage } from "../../ui/import-page.tsx";

export default function ImportPeople() {
  const { person: words, imports } = text();
  return (
    <ImportPage
      title={words.import}
      list="/people"
      hint={words.importHint}
      example={imports.examples.people}
      columns={imports.columns.people}
      send={async (body, isTrial) =>
        (await call("POST /orgs/{orgId}/people/import", { body, query: { dry_run: isTrial } })).data
      }
    />
  );
}
