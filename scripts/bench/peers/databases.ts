import { Database } from "bun:sqlite";
import { join } from "node:path";

export interface Databases {
  organization: string;
  control: Database;
  tenant: Database;
}

/** Opens the installation's database and one school's, each commit synced to disk. */
export function openDatabases(directory: string, organization: string): Databases {
  const open = (name: string) => {
    const database = new Database(join(directory, name));
    database.run("pragma journal_mode = wal");
    database.run("pragma synchronous = full");
    database.run("pragma foreign_keys = on");
    return database;
  };
  return { organization, control: open("control.db"), tenant: open(`${organization}.db`) };
}
