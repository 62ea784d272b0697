/** Converts `/orgs/:orgId` to OpenAPI's `/orgs/{orgId}`, without the slash that Elysia adds after a group's prefix. */
export const templateOf = (path: string): string => path.replace(/:(\w+)\??/g, "{$1}").replace(/(.)\/$/, "$1");
