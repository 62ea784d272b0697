/** Says why an action failed that has no place of its own for it. */
import { explain } from "../app/explain.ts";
import { toast } from "./toast.tsx";

export function failed(error: unknown): void {
  const { title, message } = explain(error);
  toast(`${title}: ${message}`);
}
