/**
 * The routes that were not implemented when this list was made. It is frozen: remove a row when its route is implemented, and
 * never add one.
 */
export const comingAtFirst: readonly string[] = ["GET /api/v1/public/vtr", "GET /api/v1/public/vtr/{vtrId}"];
