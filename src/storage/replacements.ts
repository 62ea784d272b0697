import type { OrgId } from "../core/ids.ts";
import { fileIdentity } from "./file-identity.ts";

/**
 * Decides whether a file that took the place of an open one may be opened. If the old file was in order, it may not: the
 * operator may not know that the server was writing to it. A damaged file may be replaced at any time.
 */
export class Replacements {
  readonly #damaged = new Map<OrgId, string>();
  readonly #refused = new Map<OrgId, string>();

  /** Records that the open file can't be used. */
  onDamage(id: OrgId, identity: string): void {
    this.#damaged.set(id, identity);
  }

  /** Records that the open file with this identity is no longer at `path`. */
  onReplaced(id: OrgId, identity: string, path: string): void {
    const found = fileIdentity(path);
    const isOther = found !== undefined && found !== identity;
    if (isOther && this.#damaged.get(id) !== identity) this.#refused.set(id, found);
  }

  /** Returns whether the file at `path` took the place of a file in use. */
  isRefused(id: OrgId, path: string): boolean {
    const refused = this.#refused.get(id);
    if (refused === undefined) return false;
    if (refused === fileIdentity(path)) return true;
    this.#refused.delete(id);
    return false;
  }
}
