/** The providers that sign in to this account. */
import { useSignal } from "@preact/signals";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changedAccount, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Rows } from "../../ui/rows.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { providerName } from "./provider-name.ts";
import { authorizationUrl } from "./providers.tsx";

/** The page that the operator has allowed for this. */
const here = "/app/account";

export function LinkedProviders() {
  const { account: words } = text();
  const { data: capabilities } = useResource("GET /capabilities");
  const { data: identities } = useResource("GET /auth/identities");
  const problem = useSignal<unknown>(undefined);
  const linked = identities?.data ?? [];
  const names = [
    ...new Set([...(capabilities?.data.oauth_providers ?? []), ...linked.map(({ provider }) => provider)]),
  ];
  if (names.length === 0) return null;
  const attempt = async (work: () => Promise<unknown>) => {
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = error;
    }
  };
  const link = (provider: string) => attempt(async () => location.assign(await authorizationUrl(provider, here)));
  const unlink = (provider: string) =>
    attempt(async () => {
      await call("DELETE /auth/identities/{provider}", { path: { provider } });
      await changedAccount("/auth/identities");
      toast(words.unlinked(providerName(provider)));
    });
  return (
    <Panel title={words.providers} hint={words.providersHint}>
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      <Rows
        label={words.providers}
        empty=""
        rows={names.map((name) => {
          const identity = linked.find(({ provider }) => provider === name);
          return {
            id: name,
            title: providerName(name),
            detail: identity ? words.linkedOn(formatDate(identity.linked_at)) : words.notLinked,
            aside: identity ? (
              <Button onClick={() => unlink(name)}>{words.unlink}</Button>
            ) : (
              <Button onClick={() => link(name)}>{words.link}</Button>
            ),
          };
        })}
      />
    </Panel>
  );
}
