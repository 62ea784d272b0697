import { Problem } from "../../api/problem.ts";

/** What a form throws that finds a fault by itself: it is shown at the field, as a fault that the server finds. */
export const faultAt = (path: string, message: string): Problem =>
  new Problem(400, { issues: [{ path, code: "found_here", message }] });
