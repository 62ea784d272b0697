/** What is shown to somebody without a session: the sign-in, or the sign-up of a school. */

import { language, languages, speak, text } from "../../app/language.ts";
import { place } from "../../app/router.ts";
import { Brand } from "../../ui/brand.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SignIn } from "./sign-in.tsx";
import { SignUp } from "./sign-up.tsx";

const languageNames = { en: "English", de: "Deutsch" } as const;

export function Entrance() {
  const { app } = text();
  return (
    <main class="entrance">
      <Brand name={app.name} />
      <div class="card">{place.value.path === "/app/sign-up" ? <SignUp /> : <SignIn />}</div>
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
