/** The keys that sign the packs of the school, and those that did. */
import { useSignal } from "@preact/signals";
import { formatDate } from "../../app/format.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { evidenceText } from "./words.ts";

export function SigningKeys() {
  const words = evidenceText();
  const keys = useResource("GET /orgs/{orgId}/signing-keys");
  const isRotating = useSignal(false);
  const set = (open: boolean) => {
    isRotating.value = open;
  };
  const rotate = async () => {
    await call("POST /orgs/{orgId}/signing-keys/rotate");
    await changed("/signing-keys");
    toast(words.rotated);
  };
  return (
    <Section
      title={words.keys}
      actions={
        keys.data !== undefined &&
        keys.data.data.length > 0 && (
          <Button kind="plain" onClick={() => set(true)}>
            {words.rotate}
          </Button>
        )
      }
    >
      <p class="quiet small">{words.keysHint}</p>
      <Loaded resource={keys} lines={2}>
        {({ data }) => (
          <Rows
            label={words.keys}
            empty={words.noKeys}
            most={3}
            rows={data.map(({ id, thumbprint, created_at, retired_at }) => ({
              id,
              title: <span class="mono">{thumbprint}</span>,
              detail:
                retired_at === null
                  ? words.keySince(formatDate(created_at))
                  : words.keyRetired(formatDate(created_at), formatDate(retired_at)),
              aside: (
                <Badge tone={retired_at === null ? "good" : "neutral"}>
                  {retired_at === null ? words.present : words.retired}
                </Badge>
              ),
            }))}
          />
        )}
      </Loaded>
      {isRotating.value && (
        <Confirm title={words.rotateTitle} action={words.rotate} onConfirm={rotate} onClose={() => set(false)}>
          {words.rotateHint}
        </Confirm>
      )}
    </Section>
  );
}
