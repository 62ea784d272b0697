/** The whole console: what is shown before a sign-in, and the shell after it. */

import { Unreachable } from "../api/problem.ts";
import { Entrance } from "../screens/accounts/entrance.tsx";
import { SignInAgain } from "../screens/accounts/sign-in-again.tsx";
import { StepUp } from "../screens/accounts/step-up.tsx";
import { ProblemNotice } from "../ui/states.tsx";
import { Toasts } from "../ui/toast.tsx";
import { decision } from "./change.ts";
import { DecisionDialog } from "./decision-dialog.tsx";
import { linkPages } from "./entrances.ts";
import { place } from "./router.ts";
import { signInAgain, start, state, stepUp } from "./session.ts";
import { Shell } from "./shell.tsx";

export function Console() {
  const { kind } = state.value;
  const isLink = linkPages.includes(place.value.path);
  return (
    <>
      {kind === "signed-in" && !isLink && <Shell />}
      {(kind === "signed-out" || (kind === "signed-in" && isLink)) && <Entrance />}
      {kind === "unreachable" && (
        <main class="entrance">
          <div class="card">
            <ProblemNotice error={new Unreachable(undefined)} retry={start} />
          </div>
        </main>
      )}
      {signInAgain.pending.value && <SignInAgain />}
      {stepUp.pending.value && <StepUp />}
      {decision.pending.value && <DecisionDialog disputes={decision.pending.value.question} />}
      <Toasts />
    </>
  );
}
