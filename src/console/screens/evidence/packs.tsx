/** All evidence packs of the school: of its pilots, and of itself on a day. */
import { useSignal } from "@preact/signals";
import type { EvidencePack } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { formatBytes, formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place, setQuery } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { failed } from "../../ui/failed.ts";
import { List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { SigningKeys } from "./keys.tsx";
import { RequestPack } from "./request-pack.tsx";
import { PackStatus, titleOf } from "./status.tsx";
import { evidenceText } from "./words.ts";

const types = ["compliance_pack", "pilot_portable"] as const;
const statuses = ["ready", "generating", "failed"] as const;

export default function Packs() {
  const words = evidenceText();
  const { people } = text();
  const { query } = place.value;
  const isRequesting = useSignal(false);
  const type = types.find((one) => one === query.get("type"));
  const status = statuses.find((one) => one === query.get("status"));
  const cursor = query.get("cursor") ?? undefined;
  const packs = useResource("GET /orgs/{orgId}/evidence-packs", {
    query: {
      limit: pageLimit,
      ...(type && { type }),
      ...(status && { status }),
      ...(cursor !== undefined && { cursor }),
    },
  });
  const audit = () =>
    call("POST /orgs/{orgId}/evidence-packs", { body: { type: "compliance_pack", as_of: today() } }).then(
      async ({ data }) => {
        await changed("/evidence-packs");
        go(`/app/evidence/${data.id}`);
      },
      failed,
    );
  const actions = (
    <>
      <Button
        onClick={() => {
          isRequesting.value = true;
        }}
      >
        {words.other}
      </Button>
      <Button kind="primary" busyText={words.auditing} onClick={audit}>
        {words.audit}
      </Button>
    </>
  );
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">{actions}</div>
      </div>
      <search class="filters">
        <Choice
          label={words.type}
          value={type ?? ""}
          options={[{ value: "", label: people.all }, ...types.map((value) => ({ value, label: words.types[value] }))]}
          onChange={(value) => setQuery({ type: value, cursor: undefined })}
        />
        <Choice
          label={words.status}
          value={status ?? ""}
          options={[
            { value: "", label: people.all },
            ...statuses.map((value) => ({ value, label: words.statuses[value] })),
          ]}
          onChange={(value) => setQuery({ status: value, cursor: undefined })}
        />
      </search>
      <List<EvidencePack>
        label={words.title}
        resource={packs}
        filters={["type", "status"]}
        href={({ id }) => `/app/evidence/${id}`}
        columns={[
          { label: words.subject, cell: titleOf },
          { label: words.status, cell: (pack) => <PackStatus pack={pack} /> },
          { label: words.issued, cell: ({ issued_at }) => issued_at && formatDateTime(issued_at) },
          { label: words.requestedBy, cell: ({ requested_by_name }) => requested_by_name, isDesk: true },
          {
            label: words.size,
            cell: ({ size_bytes }) => size_bytes !== null && formatBytes(size_bytes),
            isNumber: true,
            isDesk: true,
          },
        ]}
        empty={<Empty title={words.none}>{words.noneHint}</Empty>}
      />
      <SigningKeys />
      {isRequesting.value && (
        <RequestPack
          onClose={() => {
            isRequesting.value = false;
          }}
        />
      )}
    </>
  );
}
