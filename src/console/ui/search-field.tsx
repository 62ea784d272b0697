/** The search of a list: `q` in the address, a moment after the last letter. */
import { useEffect, useId, useRef } from "preact/hooks";
import { place, setQuery } from "../app/router.ts";

/** Milliseconds without a letter. */
const pause = 200;

export function SearchField({ label, placeholder }: { label: string; placeholder?: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const q = place.value.query.get("q") ?? "";
  useEffect(() => {
    // Filters can be cleared elsewhere.
    if (input.current && input.current !== document.activeElement) input.current.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        class="input"
        type="search"
        defaultValue={q}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          clearTimeout(waiting.current);
          const { value } = currentTarget;
          waiting.current = setTimeout(() => setQuery({ q: value.trim(), cursor: undefined }), pause);
        }}
      />
    </div>
  );
}
