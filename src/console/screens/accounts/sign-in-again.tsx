/** The session ended while somebody worked. The page stays as it is behind the dialog, and the request goes on after it. */
import { text } from "../../app/language.ts";
import { begin, me, signInAgain } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInAgain() {
  const { signIn } = text();
  const email = me.value?.user.email;
  return (
    <Dialog title={signIn.again}>
      <p>{signIn.againHint}</p>
      <SignInForm
        {...(email !== undefined && { email })}
        onTokens={async (pair) => {
          await begin(pair);
          signInAgain.answer(true);
        }}
      />
      <div>
        <Button kind="plain" onClick={() => signInAgain.answer(false)}>
          {signIn.leave}
        </Button>
      </div>
    </Dialog>
  );
}
