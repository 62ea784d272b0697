/** People from a CSV file. */
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { ImportPage } from "../../ui/import-page.tsx";

const example = `name,email,types,licence_number
Clara Vogt,clara.vogt@example.com,instructor|pilot,DE.FCL.4712
Tom Stein,tom.stein@example.com,student,
`;

export default function ImportPeople() {
  const { person: words } = text();
  return (
    <ImportPage
      title={words.import}
      list="/people"
      hint={words.importHint}
      example={example}
      send={async (body, isTrial) =>
        (await call("POST /orgs/{orgId}/people/import", { body, query: { dry_run: isTrial } })).data
      }
    />
  );
}
