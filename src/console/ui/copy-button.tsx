import { text } from "../app/language.ts";
import { Button } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copies a text. On plain HTTP browsers have no clipboard: the text is then there to be selected, and the button is not. */
export function CopyButton({ value, children }: { value: string; children: string }) {
  if (!("clipboard" in navigator)) return null;
  return (
    <Button
      icon="copy"
      onClick={async () => {
        await navigator.clipboard.writeText(value);
        toast(text().errors.copied);
      }}
    >
      {children}
    </Button>
  );
}
