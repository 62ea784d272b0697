/** Aircraft from a CSV file. */
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { ImportFile } from "../../ui/import-file.tsx";
import { toast } from "../../ui/toast.tsx";

const example = `registration,model,class,icao_type,hobbs,airframe_minutes
D-EABC,Cessna 172S,SEP,C172,1234.50,74070
D-KLMN,Super Dimona HK36,TMG,HK36,,
`;

export default function ImportAircraft() {
  const { aircraft: words, imports } = text();
  return (
    <>
      <div class="page-head">
        <h1>{words.import}</h1>
      </div>
      <ImportFile
        hint={words.importHint}
        example={example}
        send={async (body, isTrial) =>
          (await call("POST /orgs/{orgId}/aircraft/import", { body, query: { dry_run: isTrial } })).data
        }
        onDone={async ({ created, updated }) => {
          await changed("/aircraft");
          toast(imports.done(created, updated));
          go("/app/aircraft");
        }}
      />
    </>
  );
}
