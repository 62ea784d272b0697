import { text } from "../../app/language.ts";
import { begin } from "../../app/session.ts";
import { SignInForm } from "./sign-in-form.tsx";

export function SignIn() {
  const { signIn } = text();
  return (
    <>
      <h1>{signIn.title}</h1>
      <SignInForm onTokens={begin} />
      <a href="/app/sign-up">{signIn.newSchool}</a>
    </>
  );
}
