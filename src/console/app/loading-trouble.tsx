/** Says why a part of the screen is missing, and what can be done. */
import { Button } from "../ui/button.tsx";
import { text } from "./language.ts";
import { trouble, tryNow } from "./load-part.ts";

export function LoadingTrouble() {
  const { app, actions } = text();
  if (trouble.value === undefined) return null;
  const isNewer = trouble.value === "newer";
  return (
    <div class={`notice ${isNewer ? "info" : "warn"}`} role="status">
      <strong>{isNewer ? app.newer : app.offline}</strong>
      <span>{isNewer ? app.newerHint : app.offlineHint}</span>
      <div>
        {isNewer ? (
          <Button onClick={() => location.reload()}>{app.reload}</Button>
        ) : (
          <Button onClick={tryNow}>{actions.retry}</Button>
        )}
      </div>
    </div>
  );
}
