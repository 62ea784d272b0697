/** Flights of earlier years from a CSV file. They count for their crews, and move no counters. */
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { ImportPage } from "../../ui/import-page.tsx";

const example = `registration,off_block_at,on_block_at,departure,arrival,day_landings,pic
D-EABC,2025-05-03T08:30:00Z,2025-05-03T09:32:00Z,EDFE,EDKB,1,clara.vogt@example.com
`;

export default function ImportFlights() {
  const { flights: words } = text();
  return (
    <ImportPage
      title={words.importTitle}
      list="/flights"
      hint={words.importHint}
      example={example}
      send={async (body, isTrial) =>
        (await call("POST /orgs/{orgId}/flights/import", { body, query: { dry_run: isTrial } })).data
      }
    />
  );
}
