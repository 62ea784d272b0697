/**
 * What modules keep in the control database about an organization, and that goes with it to another installation. Each module
 * declares its part; the export and the adoption are made of all parts, in the order of the modules.
 */
import { z } from "zod";
import { toInstant } from "../core/clock.ts";
import type { KeyRing } from "../core/crypto.ts";
import type { OrgId, UserId } from "../core/ids.ts";
import type { Context } from "./context.ts";
import { MoveRefused } from "./move/move-refused.ts";
import type { Reader, Tx } from "./store.ts";

export interface Taking {
  orgId: OrgId;
  keys: KeyRing;
  /** Whether accounts go with what signs in to them. */
  withCredentials: boolean;
}

export interface MovedAccount {
  /** The address that it had there. */
  email: string;
  /**
   * What became of it:
   *
   * - `made`: it was made here, with the same id.
   * - `known`: an account with this id is here. It stays as it is.
   * - `other`: another account here has its e-mail address. Whether it is the same person's is not known.
   */
  state: "made" | "known" | "other";
}

export interface Adoption extends Pick<Context, "actor" | "requestId" | "clock"> {
  orgId: OrgId;
  keys: KeyRing;
  /** Filled by the part of the module accounts. */
  accounts: Map<UserId, MovedAccount>;
  /** Members who must be invited here, since their account is another one. */
  invited: { email: string; roles: readonly string[] }[];
  /** What the operator must know. One sentence each. */
  remarks: string[];
}

export interface MovedData {
  name: string;
  take(reader: Reader<"control">, taking: Taking): Promise<unknown>;
  /** @throws MoveRefused what was taken is not valid: another installation wrote it */
  put(tx: Tx<"control">, taken: unknown, adoption: Adoption): Promise<void>;
}

interface Definition<Taken> {
  name: string;
  /** What is in an export. */
  schema: z.ZodType<Taken>;
  /** What the schema reads: a move there and back is tested. */
  take(reader: Reader<"control">, taking: Taking): Promise<unknown>;
  put(tx: Tx<"control">, taken: Taken, adoption: Adoption): Promise<void>;
}

export const movedData = <Taken>({ schema, put, ...part }: Definition<Taken>): MovedData => ({
  ...part,
  async put(tx, taken, adoption) {
    const { data, error } = schema.safeParse(taken);
    if (error) throw new MoveRefused(`The export is not valid: ${part.name}: ${z.prettifyError(error)}`);
    await put(tx, data, adoption);
  },
});

/** An instant in an export. */
export const movedInstant = z.iso.datetime().transform((text) => toInstant(new Date(text)));
