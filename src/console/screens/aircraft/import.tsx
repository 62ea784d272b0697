/** Aircraft from a CSV file. */
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { ImportPage } from "../../ui/import-page.tsx";

const example = `registration,model,class,icao_type,hobbs,airframe_minutes
D-EABC,Cessna 172S,SEP,C172,1234.50,74070
D-KLMN,Super Dimona HK36,TMG,HK36,,
`;

export default function ImportAircraft() {
  const { aircraft: words } = text();
  return (
    <ImportPage
      title={words.import}
      list="/aircraft"
      hint={words.importHint}
      example={example}
      send={async (body, isTrial) =>
        (await call("POST /orgs/{orgId}/aircraft/import", { body, query: { dry_run: isTrial } })).data
      }
    />
  );
}
