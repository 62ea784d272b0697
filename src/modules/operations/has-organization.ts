/** Whether a school has signed up here, so that a front end knows what to show first. */
import type { Storage } from "../../storage/storage.ts";
import { countOrganizations } from "../organizations/organizations.queries.ts";

/** Remembers the first organization: none is ever removed. A database that can't be read may have one. */
export function hasOrganization(control: Storage["control"]): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    isKnown ||= await control.read(countOrganizations).then(
      (count) => count > 0,
      () => true,
    );
    return isKnown;
  };
}
