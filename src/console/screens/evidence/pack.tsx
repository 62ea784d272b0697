/** One evidence pack: how far it is, the file, the links to verify it, and what is known of it. */
import { useSignal } from "@preact/signals";
import type { EvidencePack } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { download } from "../../app/download.ts";
import { formatBytes, formatDateTime, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Facts } from "../../ui/facts.tsx";
import { failed } from "../../ui/failed.ts";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Links } from "./links.tsx";
import { PackStatus, titleOf } from "./status.tsx";
import { evidenceText } from "./words.ts";

export default function PackPage({ packId = "" }: Parameters) {
  const words = evidenceText();
  const path = { packId };
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/evidence-packs/{packId}", { path });
  const keys = useResource("GET /orgs/{orgId}/signing-keys");
  const isRemoving = useSignal(false);
  const pack = data?.data;
  const thumbprint = keys.data?.data.find(({ id }) => id === pack?.key_id)?.thumbprint;
  if (problem !== undefined && !pack) return <ProblemNotice error={problem} retry={reload} />;
  const ask = (open: boolean) => {
    isRemoving.value = open;
  };
  const remove = async (seen: EvidencePack) => {
    await act("DELETE /orgs/{orgId}/evidence-packs/{packId}", { path }, seen);
    await changed("/evidence-packs");
    toast(words.removedDone);
  };
  const hasContent = pack?.status === "ready" && pack.content_removed_at === null;
  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{pack ? titleOf(pack) : <Skeleton lines={1} />}</h1>
            {pack && <PackStatus pack={pack} />}
          </div>
          <p class="quiet">{pack && words.about[pack.type]}</p>
        </div>
        {hasContent && (
          <div class="actions">
            {may("evidence:manage") && <Button onClick={() => ask(true)}>{words.remove}</Button>}
            <Button
              kind="primary"
              icon="download"
              busyText={words.downloading}
              onClick={() =>
                download("GET /orgs/{orgId}/evidence-packs/{packId}/content", { path, name: "evidence-pack.zip" })
              }
            >
              {words.download}
            </Button>
          </div>
        )}
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {pack && <Notices pack={pack} />}
      <div class="columns">
        <div>
          {pack?.status === "ready" && <Links packId={packId} />}
          {thumbprint !== undefined && <HowToVerify thumbprint={thumbprint} />}
        </div>
        <div>
          <Section title={words.details}>
            {pack ? <Details {...{ pack, thumbprint }} /> : <Skeleton lines={6} />}
          </Section>
        </div>
      </div>
      {isRemoving.value && pack && (
        <Confirm
          title={words.removeTitle}
          action={words.remove}
          onConfirm={() => remove(pack)}
          onClose={() => ask(false)}
        >
          {words.removeHint}
        </Confirm>
      )}
    </>
  );
}

/** What must be known before the file is used. */
function Notices({ pack }: { pack: EvidencePack }) {
  const words = evidenceText();
  const { actions } = text();
  const { id, status, failure, superseded_by, content_removed_at } = pack;
  const retry = () =>
    act("POST /orgs/{orgId}/evidence-packs/{packId}/retry", { path: { packId: id } }, pack).then(
      () => changed("/evidence-packs"),
      failed,
    );
  if (status === "generating")
    return (
      <div class="notice info" role="status">
        {words.building}
      </div>
    );
  if (status === "failed")
    return (
      <div class="notice bad" role="alert">
        <strong>{words.failedTitle}</strong>
        <span>{words.failures[failure ?? "internal"]}</span>
        {failure !== "person_erased" && (
          <div>
            <Button onClick={retry}>{actions.retry}</Button>
          </div>
        )}
      </div>
    );
  return (
    <>
      {superseded_by !== null && (
        <div class="notice info">
          <span>
            {words.supersededNotice} <a href={`/app/evidence/${superseded_by}`}>{words.newer}</a>
          </span>
        </div>
      )}
      {content_removed_at !== null && <div class="notice info">{words.removedNotice}</div>}
    </>
  );
}

function Details({ pack, thumbprint }: { pack: EvidencePack; thumbprint: string | undefined }) {
  const words = evidenceText();
  const { person_id, as_of, period_from, period_to } = pack;
  const name = titleOf(pack);
  return (
    <Facts
      facts={[
        {
          label: words.person,
          value:
            person_id !== null && may("people:read") ? (
              <a href={`/app/people/${person_id}`}>{name}</a>
            ) : (
              person_id && name
            ),
        },
        { label: words.asOf, value: as_of && formatDay(as_of) },
        {
          label: words.period,
          // The state of the school is of one day.
          value:
            as_of === null && period_from && period_to && words.between(formatDay(period_from), formatDay(period_to)),
        },
        { label: words.issued, value: pack.issued_at && formatDateTime(pack.issued_at) },
        { label: words.requestedOn, value: formatDateTime(pack.created_at) },
        { label: words.requestedBy, value: pack.requested_by_name },
        { label: words.removedOn, value: pack.content_removed_at && formatDateTime(pack.content_removed_at) },
        { label: words.size, value: pack.size_bytes !== null && formatBytes(pack.size_bytes) },
        { label: words.manifest, value: pack.manifest_sha256 && <code>{pack.manifest_sha256}</code> },
        { label: words.file, value: pack.sha256 && <code>{pack.sha256}</code> },
        { label: words.key, value: thumbprint && <code>{thumbprint}</code> },
      ]}
    />
  );
}

function HowToVerify({ thumbprint }: { thumbprint: string }) {
  const words = evidenceText();
  return (
    <Section title={words.howToVerify}>
      <p>{words.byLink}</p>
      <p>{words.byCommand}</p>
      <p class="mono link">windsock verify pack.zip --key {thumbprint}</p>
    </Section>
  );
}
