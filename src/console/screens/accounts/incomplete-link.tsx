import { text } from "../../app/language.ts";
import { Heading } from "./heading.tsx";

/** The address has no token: it was copied in part, or the page was loaded a second time. */
export function IncompleteLink() {
  const { links } = text();
  return (
    <>
      <Heading>{links.incomplete}</Heading>
      <p>{links.incompleteHint}</p>
      <div class="links">
        <a href="/app">{links.home}</a>
      </div>
    </>
  );
}
