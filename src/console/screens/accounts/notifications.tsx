/** Which mails of the school its member gets. Each choice takes effect at once. */
import { useSignal } from "@preact/signals";
import type { NotificationPreferences } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";

export function Notifications({ school }: { school: string }) {
  const { account: words } = text();
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/notification-preferences");
  const fault = useSignal<unknown>(undefined);
  /** Shown until the server has said what is so. */
  const chosen = useSignal<{ readonly [Kind in keyof NotificationPreferences]?: boolean | undefined }>({});
  const kinds: readonly (keyof NotificationPreferences)[] = [
    "planning",
    "medical_expiring",
    "compliance_expiring",
    ...(may("maintenance:manage") ? (["maintenance_alert"] as const) : []),
    "invoice",
  ];
  const choose = async (kind: keyof NotificationPreferences, isWanted: boolean) => {
    fault.value = undefined;
    chosen.value = { ...chosen.value, [kind]: isWanted };
    try {
      await call("PATCH /orgs/{orgId}/notification-preferences", { body: { [kind]: isWanted } });
    } catch (error) {
      fault.value = error;
    }
    await changed("/notification-preferences");
    chosen.value = { ...chosen.value, [kind]: undefined };
  };
  return (
    <Panel title={words.mails} hint={words.mailsHint(school)}>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {fault.value !== undefined && <ProblemNotice error={fault.value} />}
      {data === undefined && problem === undefined && <Skeleton lines={4} />}
      <div>
        {data &&
          kinds.map((kind) => (
            <label key={kind} class="check">
              <input
                type="checkbox"
                checked={chosen.value[kind] ?? data.data[kind]}
                onChange={({ currentTarget }) => void choose(kind, currentTarget.checked)}
              />
              {words.mailKinds[kind]}
            </label>
          ))}
      </div>
    </Panel>
  );
}
