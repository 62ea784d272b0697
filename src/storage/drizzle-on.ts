import { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import { LibSQLSession } from "drizzle-orm/libsql/session";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Connection } from "./connection.ts";

/** Returns drizzle for a connection. `drizzle-orm/libsql` would load `@libsql/client`, which can also reach servers. */
export function drizzleOn({ client }: Connection): LibSQLDatabase {
  const dialect = new SQLiteAsyncDialect();
  const session: object = new LibSQLSession(client, dialect, undefined, {}, undefined);
  // To compare the types of the session with what the database wants takes the compiler 250,000 instantiations.
  return new LibSQLDatabase("async", dialect, session as never, undefined);
}
