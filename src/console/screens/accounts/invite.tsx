/** Joins a school: with a new account, or with the one that the invited address has. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PublicInvite, PublicStudentInvite } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { begin, call, chooseOrganization, me, reloadMe, signOut, tokens } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, PasswordField, Submit, TextField } from "../../ui/form.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Heading } from "./heading.tsx";
import { IncompleteLink } from "./incomplete-link.tsx";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in-form.tsx";

const paths = {
  member: { show: "GET /auth/org-invites/{token}", claim: "POST /auth/org-invites/claim" },
  student: { show: "GET /auth/student-invites/{token}", claim: "POST /auth/student-invites/claim" },
} as const;

type Shown = PublicInvite | PublicStudentInvite;

export default function Invite({ kind }: { kind: keyof typeof paths }) {
  const { token } = arrival.value;
  const invite = useSignal<Shown | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const load = async () => {
    if (token === undefined) return;
    problem.value = undefined;
    try {
      invite.value = (await call(paths[kind].show, { path: { token } })).data;
    } catch (error) {
      problem.value = error;
    }
  };
  useEffect(() => void load(), [token]);
  if (invite.value !== undefined && token !== undefined) return <Joining {...{ kind, token, invite: invite.value }} />;
  if (token === undefined) return <IncompleteLink />;
  if (problem.value === undefined) return <Skeleton lines={5} />;
  const isOver = problem.value instanceof Problem && [400, 404, 409, 410].includes(problem.value.status);
  return <Invalid error={problem.value} {...(!isOver && { retry: load })} />;
}

function Invalid({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const { invite: words } = text();
  const isUnknown = error instanceof Problem && (error.status === 400 || error.status === 404);
  return (
    <>
      <Heading>{words.invalid}</Heading>
      {isUnknown ? <p>{words.unknown}</p> : <ProblemNotice error={error} {...(retry && { retry })} />}
      <p class="quiet">{words.invalidHint}</p>
      <div class="links">
        <a href="/app">{words.home}</a>
      </div>
    </>
  );
}

function Joining({ kind, token, invite }: { kind: keyof typeof paths; token: string; invite: Shown }) {
  const { invite: words, roles, signUp, signIn } = text();
  const { email, organization } = invite;
  const { data: capabilities } = useResource("GET /capabilities");
  const name = useSignal("person" in invite ? invite.person.name : "");
  const password = useSignal("");
  // Back from a provider, the sign-in goes on.
  const hasAccount = useSignal(arrival.value.mfa_token !== undefined || arrival.value.error !== undefined);
  const isTaken = useSignal(false);
  const problem = useSignal<unknown>(undefined);

  const claim = async (account: { name?: string; password?: string } = {}) => {
    const { data } = await call(paths[kind].claim, { body: { token, ...account, cookie: tokens.inCookie } });
    await (data.tokens ? begin(data.tokens) : reloadMe());
    chooseOrganization(data.organization.id);
    toast(words.joined(data.organization.name));
    go("/app", { replace: true });
    arrival.value = {};
  };
  const join = async () => {
    problem.value = undefined;
    try {
      await claim();
    } catch (error) {
      problem.value = error;
    }
  };
  const create = async () => {
    try {
      await claim({ name: name.value, password: password.value });
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== "email_taken") throw error;
      isTaken.value = true;
      hasAccount.value = true;
    }
  };

  const account = me.value?.user.email;
  return (
    <>
      <Heading>{words.title(organization.name)}</Heading>
      <p class="quiet">{words.as(email, invite.roles.map((role) => roles[role]).join(", "))}</p>
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      {account === email && (
        <Button kind="primary" busyText={words.joining} onClick={join}>
          {words.join}
        </Button>
      )}
      {account !== undefined && account !== email && (
        <>
          <p class="notice warn">{words.otherAccount(account)}</p>
          <Button onClick={signOut}>{words.signOut}</Button>
        </>
      )}
      {account === undefined && hasAccount.value && (
        <>
          {isTaken.value && (
            <p class="notice info" role="alert">
              {words.taken}
            </p>
          )}
          <SignInForm
            email={email}
            onTokens={async (pair) => {
              await begin(pair);
              if (me.value?.user.email === email) await join();
            }}
          />
          <Providers names={capabilities?.data.oauth_providers ?? []} />
        </>
      )}
      {account === undefined && !hasAccount.value && (
        <Form onSubmit={create}>
          <TextField name="name" label={signUp.name} value={name} autoComplete="name" maxLength={120} required />
          <PasswordField
            name="password"
            label={signUp.password}
            hint={signUp.passwordHint}
            value={password}
            autoComplete="new-password"
          />
          <div class="form-actions">
            <Submit busyText={words.joining}>{words.join}</Submit>
          </div>
        </Form>
      )}
      {account === undefined && (
        <div class="links">
          <Button
            kind="plain"
            onClick={() => {
              hasAccount.value = !hasAccount.value;
              isTaken.value = false;
            }}
          >
            {hasAccount.value ? words.newAccount : signIn.haveAccount}
          </Button>
        </div>
      )}
    </>
  );
}
