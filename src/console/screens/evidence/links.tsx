/** The links by which others verify a pack: who has one, until when, and their end. */
import { useSignal } from "@preact/signals";
import type { ShareToken } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDate, formatDay, lastDay, zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call, organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { type Row, Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { evidenceText } from "./words.ts";

export function Links({ packId }: { packId: string }) {
  const words = evidenceText();
  const tokens = useResource("GET /orgs/{orgId}/share-tokens", { query: { subject_id: packId } });
  const isSharing = useSignal(false);
  const set = (open: boolean) => {
    isSharing.value = open;
  };
  return (
    <Section
      title={words.links}
      actions={
        <Button kind="plain" icon="plus" onClick={() => set(true)}>
          {words.share}
        </Button>
      }
    >
      <p class="quiet small">{words.linksHint}</p>
      <Loaded resource={tokens} lines={2}>
        {({ data }) => <Rows label={words.links} empty={words.noLinks} rows={data.map(rowOf)} />}
      </Loaded>
      {isSharing.value && <ShareDialog packId={packId} onClose={() => set(false)} />}
    </Section>
  );
}

/** The name of a link that no member made is not a member's words. */
const nameOf = ({ created_by, name }: ShareToken): string => (created_by === null ? evidenceText().ownLink : name);

function rowOf(token: ShareToken): Row {
  const words = evidenceText();
  const { id, expires_at, created_at, created_by_name, revoked_at } = token;
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now();
  const name = nameOf(token);
  return {
    id,
    title: name,
    detail: [
      formatDate(created_at),
      created_by_name !== null && words.by(created_by_name),
      revoked_at === null && (expires_at === null ? words.unlimited : words.validUntil(formatDay(lastDay(expires_at)))),
    ]
      .filter(Boolean)
      .join(" · "),
    aside:
      revoked_at !== null ? (
        <Badge tone="neutral">{words.revokedLink}</Badge>
      ) : isExpired ? (
        <Badge tone="neutral">{words.expiredLink}</Badge>
      ) : (
        <Button kind="plain" onClick={() => revoke(token).catch(failed)}>
          {words.revoke}
          <span class="visually-hidden"> {name}</span>
        </Button>
      ),
  };
}

async function revoke(token: ShareToken): Promise<void> {
  await act("DELETE /orgs/{orgId}/share-tokens/{shareTokenId}", { path: { shareTokenId: token.id } }, token);
  await changed("/share-tokens");
  toast(evidenceText().revoked(nameOf(token)));
}

function ShareDialog({ packId, onClose }: { packId: string; onClose: () => void }) {
  const words = evidenceText();
  const { actions } = text();
  const name = useSignal("");
  const until = useSignal(dayAfter(today(), 30));
  const token = useSignal<string | undefined>(undefined);
  const share = async () => {
    const expires_at = until.value === "" ? null : (instantAt(dayAfter(until.value), "00:00", zone()) ?? null);
    const { data } = await call("POST /orgs/{orgId}/share-tokens", {
      body: { purpose: "vtr", subject_id: packId, name: name.value, expires_at },
    });
    token.value = data.token;
    await changed("/share-tokens");
  };
  if (token.value !== undefined) {
    const link = `${location.origin}/public/orgs/${organization.value?.id}/vtr/${packId}/verify?token=${token.value}`;
    return (
      <Dialog title={words.linkTitle} onClose={onClose}>
        <p>{words.linkOnce}</p>
        <p class="mono link">{link}</p>
        <div class="form-actions">
          <CopyButton value={link}>{words.copyLink}</CopyButton>
          <Button onClick={onClose}>{actions.done}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={words.shareTitle} onClose={onClose}>
      <Form onSubmit={share}>
        <TextField name="name" label={words.for} hint={words.forHint} value={name} maxLength={80} required autoFocus />
        <TextField
          name="expires_at"
          label={words.until}
          hint={words.untilHint}
          type="date"
          value={until}
          min={today()}
        />
        <div class="form-actions">
          <Submit busyText={actions.saving}>{words.shareSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
