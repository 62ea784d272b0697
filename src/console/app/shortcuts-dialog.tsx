/** All keys that work at present. */
import { Dialog } from "../ui/dialog.tsx";
import { text } from "./language.ts";
import { shortcuts } from "./shortcuts.ts";

/** `mod+k` as two keys. */
const keysOf = (key: string): string[] =>
  key.split("+").map((part) => (part === "mod" ? "Ctrl" : part.length === 1 ? part.toUpperCase() : part));

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { app, keys } = text();
  const always = [
    { key: "enter", label: keys.open },
    { key: "escape", label: keys.close },
  ];
  return (
    <Dialog title={app.shortcuts} onClose={onClose}>
      <ul class="rows">
        {[...shortcuts.value, ...always].map(({ key, label }) => (
          <li key={key}>
            <span>{label}</span>
            <span>
              {keysOf(key).map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
