/** Returns whether a request writes nothing: Elysia answers HEAD by the routes of GET. */
export const isRead = ({ method }: Pick<Request, "method">): boolean => method === "GET" || method === "HEAD";
