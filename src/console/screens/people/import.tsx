/** People from a CSV file. */
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { ImportFile } from "../../ui/import-file.tsx";
import { toast } from "../../ui/toast.tsx";

const example = `name,email,types,licence_number
Clara Vogt,clara.vogt@example.com,instructor|pilot,DE.FCL.4712
Tom Stein,tom.stein@example.com,student,
`;

export default function ImportPeople() {
  const { person: words, imports } = text();
  return (
    <>
      <div class="page-head">
        <h1>{words.import}</h1>
      </div>
      <ImportFile
        hint={words.importHint}
        example={example}
        send={async (body, isTrial) =>
          (await call("POST /orgs/{orgId}/people/import", { body, query: { dry_run: isTrial } })).data
        }
        onDone={async ({ created, updated }) => {
          await changed("/people");
          toast(imports.done(created, updated));
          go("/app/people");
        }}
      />
    </>
  );
}
