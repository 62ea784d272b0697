/** What is shown to somebody without a session, and where the links of mails lead. */
import { language, languageNames, languages, speak, text } from "../../app/language.ts";
import { LoadingTrouble } from "../../app/loading-trouble.tsx";
import { useResource } from "../../app/resource.ts";
import { place } from "../../app/router.ts";
import { tokens } from "../../app/session.ts";
import { Brand } from "../../ui/brand.tsx";
import { Choice } from "../../ui/choice.tsx";
import { later } from "../../ui/later.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { SignIn } from "./sign-in.tsx";
import { SignUpClosed } from "./sign-up-closed.tsx";

const SignUp = later(() => import("./sign-up.tsx"));
const ForgotPassword = later(() => import("./forgot-password.tsx"));
const ResetPassword = later(() => import("./reset-password.tsx"));
const VerifyEmail = later(() => import("./verify-email.tsx"));
const HandOff = later(() => import("./hand-off.tsx"));
const Invite = later(() => import("./invite.tsx"));

export function Entrance() {
  const { app, signIn } = text();
  return (
    <main class="entrance">
      <Brand name={app.name} />
      <div class="card">
        <LoadingTrouble />
        {!tokens.inCookie && <p class="notice warn">{signIn.notEncrypted}</p>}
        <Page />
      </div>
      <div class="foot">
        <Choice
          label={app.language}
          value={language.value}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={speak}
        />
      </div>
    </main>
  );
}

function Page() {
  const { path } = place.value;
  const { data, problem } = useResource("GET /capabilities");
  const isClosed = data?.data.sign_up === false;
  if (path === "/app/sign-up") return isClosed ? <SignUpClosed /> : <SignUp />;
  if (path === "/app/forgot-password") return <ForgotPassword />;
  if (path === "/app/reset-password") return <ResetPassword />;
  if (path === "/app/verify-email") return <VerifyEmail />;
  if (path === "/app/hand-off") return <HandOff />;
  if (path === "/app/invites" || path === "/app/student-invites")
    return <Invite key={path} kind={path === "/app/invites" ? "member" : "student"} />;
  if (data === undefined && problem === undefined) return <Skeleton lines={5} />;
  // Where nobody can have an account yet, the first thing to do is to set up the school.
  const isEmpty = data?.data.has_organizations === false;
  return isEmpty && !isClosed && path !== "/app/sign-in" ? <SignUp isFirst /> : <SignIn capabilities={data?.data} />;
}
