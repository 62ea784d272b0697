/** The account of the one who is signed in: who they are, how they sign in, where they are signed in, which mails they get. */
import { arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { organization } from "../../app/session.ts";
import { ChangePassword } from "./change-password.tsx";
import { LinkedProviders } from "./linked-providers.tsx";
import { Notifications } from "./notifications.tsx";
import { Profile } from "./profile.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

export default function Account() {
  const { account: words, errors, signIn } = text();
  const { error } = arrival.value;
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
      </div>
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {errors.reasons[error] ?? signIn.providerFailed}
        </p>
      )}
      {!organization.value && (
        <p class="notice info" role="status">
          {words.noSchool}
        </p>
      )}
      <div class="panels">
        <Profile />
        <ChangePassword />
        <SecondFactor />
        <LinkedProviders />
        <Sessions />
        {organization.value && <Notifications school={organization.value.name} />}
      </div>
    </>
  );
}
