/** Sign-in through a provider. The browser leaves for it, and comes back to where it was. */
import { useSignal } from "@preact/signals";
import { comeBackHere, returnPage } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { providerName } from "./provider-name.ts";

/** @param page where the provider sends the browser back to */
export async function authorizationUrl(provider: string, page: string): Promise<string> {
  const body = { provider, redirect_to: location.origin + page };
  return (await call("POST /auth/oauth/start", { body })).data.authorization_url;
}

export function Providers({ names }: { names: readonly string[] }) {
  const { signIn } = text();
  const problem = useSignal<unknown>(undefined);
  if (names.length === 0) return null;
  const start = async (provider: string) => {
    problem.value = undefined;
    try {
      const address = await authorizationUrl(provider, returnPage);
      comeBackHere();
      location.assign(address);
    } catch (error) {
      problem.value = error;
    }
  };
  return (
    <div class="form">
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      {names.map((name) => (
        <Button key={name} onClick={() => start(name)}>
          {signIn.withProvider(providerName(name))}
        </Button>
      ))}
    </div>
  );
}
