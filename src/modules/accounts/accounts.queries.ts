import { eq } from "drizzle-orm";
import type { UserId } from "../../core/ids.ts";
import { resource } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { type User, user } from "./accounts.shapes.ts";
import { users } from "./accounts.tables.ts";

/** @throws NOT_FOUND */
export const findUser = (reader: Reader<"control">, id: UserId): Promise<User> =>
  resource(reader, user, { from: users, where: eq(users.id, id) });
