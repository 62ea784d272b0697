import { requestPath } from "./request-path.ts";

export interface Answered {
  status?: number | string;
  headers: Record<string, string | number | string[] | undefined>;
}

/** Makes a response 201 (RFC 9110, 15.3.2). @param path the new resource's, for `Location` */
export function created(set: Answered, path: string): void {
  set.status = 201;
  set.headers.location = path;
}

/** Makes a response 202: what was created works in the background. `Location` is as of `createdBelow`. */
export function acceptedBelow(request: Request, set: Answered, { id }: { id: string }): void {
  set.status = 202;
  set.headers.location = `${requestPath(request)}/${id}`;
}

/** As `created`, for a resource beside the one whose action made it: `…/invoices/{id}/credit` makes `…/invoices/{other}`. */
export const createdBeside = (request: Request, set: Answered, { id }: { id: string }): void =>
  created(set, requestPath(request).replace(/[^/]+\/[^/]+$/, id));

/** As `created`, for a resource whose path is that of the request and its id. */
export const createdBelow = (request: Request, set: Answered, { id }: { id: string }): void =>
  created(set, `${requestPath(request)}/${id}`);
