/** What to type on the server's machine. */
import { text } from "../app/language.ts";
import { CopyButton } from "./copy-button.tsx";

export const Command = ({ children }: { children: string }) => (
  <div class="command">
    <code class="mono">{children}</code>
    <CopyButton value={children}>{text().actions.copy}</CopyButton>
  </div>
);
