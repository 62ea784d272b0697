import type { Signal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { TextField } from "../../ui/form.tsx";

/** The code of a second factor: that of an authenticator app, or a recovery code. Spaces and hyphens in it mean nothing. */
export function CodeField({ value, hint = text().signIn.codeHint }: { value: Signal<string>; hint?: string }) {
  return (
    <TextField
      name="code"
      label={text().signIn.code}
      hint={hint}
      value={value}
      autoComplete="one-time-code"
      required
      autoFocus
      spellcheck={false}
    />
  );
}
