import type { Client } from "@libsql/client";
import { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import { LibSQLSession } from "drizzle-orm/libsql/session";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

/** Returns drizzle for a connection. `drizzle-orm/libsql` would load `@libsql/client`, which has a connection of its own. */
export function drizzleOn({ client }: { client: Pick<Client, "execute"> }): LibSQLDatabase {
  const dialect = new SQLiteAsyncDialect();
  // It calls `transaction` of a client as well: only that of a file has one.
  const session: object = new LibSQLSession(client as Client, dialect, undefined, {}, undefined);
  // To compare the types of the session with what the database wants takes the compiler 250,000 instantiations.
  return new LibSQLDatabase("async", dialect, session as never, undefined);
}
