import { text } from "../../app/language.ts";
import { Heading } from "./heading.tsx";

/** In place of the sign-up, where the operator lets nobody sign up. */
export function SignUpClosed() {
  const { signIn } = text();
  return (
    <>
      <Heading>{signIn.closed}</Heading>
      <p class="quiet">{signIn.closedHint}</p>
      <div class="links">
        <a href="/app/sign-in">{signIn.haveAccount}</a>
      </div>
    </>
  );
}
