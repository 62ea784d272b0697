import type { Capabilities } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { begin } from "../../app/session.ts";
import { Heading } from "./heading.tsx";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignIn({ capabilities }: { capabilities: Capabilities | undefined }) {
  const { signIn } = text();
  return (
    <>
      <Heading>{signIn.title}</Heading>
      <SignInForm onTokens={begin} />
      <Providers names={capabilities?.oauth_providers ?? []} />
      <div class="links">
        <a href="/app/forgot-password">{signIn.forgot}</a>
        {capabilities?.sign_up !== false && <a href="/app/sign-up">{signIn.newSchool}</a>}
      </div>
    </>
  );
}
