import { text } from "../../app/language.ts";
import { place, setQuery } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";

/** The next people, if they are more than one answer has. */
export function More({ next }: { next: string | null }) {
  const { list } = text();
  const isLater = place.value.query.has("cursor");
  if (next === null && !isLater) return null;
  return (
    <div class="form-actions">
      {isLater && <Button onClick={() => setQuery({ cursor: undefined })}>{list.first}</Button>}
      {next !== null && <Button onClick={() => setQuery({ cursor: next })}>{list.next}</Button>}
    </div>
  );
}
