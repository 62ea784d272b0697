import { useSignal } from "@preact/signals";
import type { Session } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changedAccount, useResource } from "../../app/resource.ts";
import { call, leave } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { later } from "../../ui/later.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Rows } from "../../ui/rows.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { deviceName } from "./device-name.ts";

const OtherDevice = later(async () => ({ default: (await import("./other-device.tsx")).OtherDevice }));

export function Sessions() {
  const { account: words, app, handOff } = text();
  const { data, problem, reload } = useResource("GET /auth/sessions", { query: { limit: 50 } });
  const fault = useSignal<unknown>(undefined);
  const isAsking = useSignal(false);
  const isHandingOff = useSignal(false);
  const nameOf = ({ device }: Session) => deviceName(device) ?? words.unknownDevice;
  const end = async (session: Session) => {
    fault.value = undefined;
    try {
      await call("DELETE /auth/sessions/{sessionId}", { path: { sessionId: session.id } });
      toast(words.signedOut(nameOf(session)));
    } catch (error) {
      fault.value = error;
    }
    // It may have ended by itself.
    await changedAccount("/auth/sessions");
  };
  const rows = data?.data.map((session) => ({
    id: session.id,
    title: nameOf(session),
    detail: [session.address, words.lastSeen(formatDateTime(session.last_seen_at))].filter(Boolean).join(" · "),
    aside: session.current ? (
      <Badge tone="info">{words.thisDevice}</Badge>
    ) : (
      <Button onClick={() => end(session)}>
        {app.signOut}
        <span class="visually-hidden"> {nameOf(session)}</span>
      </Button>
    ),
  }));
  return (
    <Panel title={words.sessions} hint={words.sessionsHint}>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {fault.value !== undefined && <ProblemNotice error={fault.value} />}
      {rows ? <Rows label={words.sessions} rows={rows} empty="" /> : problem === undefined && <Skeleton />}
      <div class="form-actions">
        <Button
          onClick={() => {
            isHandingOff.value = true;
          }}
        >
          {handOff.another}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            isAsking.value = true;
          }}
        >
          {words.signOutEverywhere}
        </Button>
      </div>
      {isHandingOff.value && (
        <OtherDevice
          onClose={() => {
            isHandingOff.value = false;
          }}
        />
      )}
      {isAsking.value && (
        <Confirm
          title={words.signOutEverywhere}
          action={app.signOut}
          onConfirm={async () => {
            await call("DELETE /auth/sessions");
            leave();
          }}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          {words.signOutEverywhereHint}
        </Confirm>
      )}
    </Panel>
  );
}
