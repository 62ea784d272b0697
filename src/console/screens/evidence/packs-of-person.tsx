/** A person's evidence packs, on their page: for themself, too. */
import { formatDate } from "../../app/format.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { PackStatus } from "./status.tsx";
import { evidenceText } from "./words.ts";

export function PacksOf({ personId, canRequest }: { personId: string; canRequest: boolean }) {
  const words = evidenceText();
  const packs = useResource("GET /orgs/{orgId}/evidence-packs", { query: { person_id: personId, limit: 20 } });
  const request = () =>
    call("POST /orgs/{orgId}/evidence-packs", { body: { type: "pilot_portable", person_id: personId } }).then(
      async () => {
        toast(words.requested);
        await changed("/evidence-packs");
      },
      failed,
    );
  return (
    <Section
      title={words.title}
      actions={
        canRequest && (
          <Button kind="plain" icon="plus" busyText={words.auditing} onClick={request}>
            {words.request}
          </Button>
        )
      }
    >
      <Loaded resource={packs} lines={2}>
        {({ data }) => (
          <Rows
            label={words.title}
            empty={words.noneOfPerson}
            most={2}
            rows={data.map((pack) => ({
              id: pack.id,
              title: formatDate(pack.issued_at ?? pack.created_at),
              href: `/app/evidence/${pack.id}`,
              ...(pack.superseded_by === null ? { aside: <PackStatus pack={pack} /> } : { detail: words.superseded }),
            }))}
          />
        )}
      </Loaded>
    </Section>
  );
}
