/** Whether a school has signed up here, so that a front end knows what to show first. */
import type { Storage } from "../../storage/storage.ts";
import { countOrganizations } from "../organizations/organizations.queries.ts";

/** Remembers the answer until the control database changes. A database that can't be read may have one. */
export function hasOrganization(control: Storage["control"]): () => Promise<boolean> {
  let known: { changes: number; isThere: boolean } | undefined;
  return async () => {
    const { changes } = control;
    if (known?.changes === changes) return known.isThere;
    const isThere = await control.read(countOrganizations).then(
      (count) => count > 0,
      () => undefined,
    );
    if (isThere !== undefined) known = { changes, isThere };
    return isThere ?? true;
  };
}
