/**
 * Signs this device in by a link from a device that is signed in. Nothing happens before the user says so: whoever opens a link of
 * somebody else would work in that account without knowing it.
 */
import { useSignal } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { go } from "../../app/router.ts";
import { begin, call, me, signOut, tokens } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { Heading } from "./heading.tsx";
import { IncompleteLink } from "./incomplete-link.tsx";

export default function HandOff() {
  const { handOff: words, signIn, invite } = text();
  const { token } = arrival.value;
  const isOver = useSignal(false);
  if (token === undefined) return <IncompleteLink />;
  if (isOver.value)
    return (
      <>
        <Heading>{words.isOver}</Heading>
        <p>{words.isOverHint}</p>
        <div class="links">
          <a href="/app">{invite.home}</a>
        </div>
      </>
    );
  const enter = async () => {
    try {
      await begin(await call("POST /auth/establish-exchange", { body: { token, cookie: tokens.inCookie } }));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      isOver.value = true;
      return;
    }
    arrival.value = {};
    toast(words.signedIn(me.value?.user.name ?? ""));
    go("/app", { replace: true });
  };
  const account = me.value?.user.email;
  return (
    <>
      <Heading>{words.title}</Heading>
      {account === undefined ? (
        <>
          <p>{words.hint}</p>
          <Form onSubmit={enter}>
            <div class="form-actions">
              <Submit busyText={signIn.submitting}>{signIn.submit}</Submit>
            </div>
          </Form>
        </>
      ) : (
        <>
          <p class="notice warn">{words.otherAccount(account)}</p>
          <Button onClick={signOut}>{invite.signOut}</Button>
        </>
      )}
    </>
  );
}
