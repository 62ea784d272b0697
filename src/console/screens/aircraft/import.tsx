/** Aircraft from a CSV file. */
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { ImportPage } from "../../ui/import-page.tsx";

export default function ImportAircraft() {
  const { aircraft: words, imports } = text();
  return (
    <ImportPage
      title={words.import}
      list="/aircraft"
      hint={words.importHint}
      example={imports.examples.aircraft}
      columns={imports.columns.aircraft}
      send={async (body, isTrial) =>
        (await call("POST /orgs/{orgId}/aircraft/import", { body, query: { dry_run: isTrial } })).data
      }
    />
  );
}
