/**
 * `windsock org move`: a school goes from one installation to another, by the commands that each of them has. It is suspended at the
 * first one before it is copied, and stays so: it is served there before, and at the second one afterwards, never at both.
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../core/system-error.ts";
import type { Command } from "./command.ts";
import { adopt, orgExport } from "./move-commands.ts";
import { type Listed, orgList, orgResume, orgSuspend } from "./org-commands.ts";

/** An installation, whose server runs or not. */
export interface Place {
  directory: string;
  publicUrl: string;
  /** Runs a command there. @param files that it reads or writes */
  run<Args, Result>(command: Command<Args, Result>, args: Args, files?: readonly string[]): Promise<Result>;
}

export interface Move {
  from: Place;
  to: Place;
  id: string;
  /** See `adopt`. */
  owner?: string | undefined;
  by: string;
  /** Called before each step. Tests kill the process there. */
  trace?: ((step: string) => void) | undefined;
}

export interface Moved {
  name: string;
  /** Null: an earlier run has moved it. */
  adopted: Awaited<ReturnType<typeof adopt.handle>> | null;
}

/**
 * Moves a school. After a crash, the same call again goes on; after an error it is served where it was.
 *
 * @throws Error a message for the operator, who finds the school where it was
 */
export async function moveSchool({ from, to, id, owner, by, trace }: Move): Promise<Moved> {
  if (from.directory === to.directory)
    throw new Error(
      `Both installations have the data directory ${from.directory}. Give each one of its own: WINDSOCK_DATA_DIR.`,
    );
  // Where both servers may write, and not a name that a start of the second removes: it may run as several commands.
  const path = join(to.directory, `moving-${id}.age`);
  const [here, there] = [await findSchool(from, id), await findSchool(to, id)];
  if (here === undefined)
    throw new Error(
      there === undefined
        ? `There is no organization ${id} at the first installation.`
        : `${there.name} is at the second installation only: nothing is left to move.`,
    );
  const reason = `It moves to ${to.publicUrl}.`;
  const isMoving = here.state === "suspended" && here.reason === reason;
  if (there !== undefined) {
    if (isMoving && there.state === "active") {
      await rm(path, { force: true });
      return { name: here.name, adopted: null };
    }
    throw new Error(
      `${here.name} is at both installations: ${stateOf(here)} at the first, ${stateOf(there)} at the second. Delete it where it is not to stay: windsock org delete ${id}`,
    );
  }
  if (here.state !== "active" && !isMoving)
    throw new Error(`${here.name} is ${stateOf(here)}. Resume it first: windsock org resume ${id}`);

  try {
    trace?.("move: suspend");
    const { applied } = await from.run(orgSuspend, { id, reason });
    if (!applied) throw new Error(`${here.name} can't be moved: its records can't be written to. Look with doctor.`);
    await rm(path, { force: true });
    const passphrase = randomBytes(32).toString("base64url");
    trace?.("move: export");
    await from.run(orgExport, { org: id, to: path, passphrase }, [path]);
    trace?.("move: adopt");
    const given = { ...(owner !== undefined && { owner }), from: path, passphrase, members: false, by };
    const adopted = await to.run(adopt, given, [path]);
    trace?.("move: end");
    return { name: here.name, adopted };
  } catch (error) {
    await resumeUnlessMoved(error, { from, to, id });
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** After an error of which it is not known whether the school has moved, it stays suspended: the next run finds out. */
async function resumeUnlessMoved(error: unknown, { from, to, id }: Pick<Move, "from" | "to" | "id">): Promise<void> {
  const again =
    "The school is suspended at the first installation. Run the command again, or look where the school is with org list.";
  const message = messageOf(error);
  try {
    if ((await findSchool(to, id)) === undefined) return void (await from.run(orgResume, { id }));
  } catch (cause) {
    throw new Error(`${message}\n${again}`, { cause });
  }
  throw new Error(`${message}\n${again}`, { cause: error });
}

async function findSchool(place: Place, id: string): Promise<Listed | undefined> {
  const { organizations } = await place.run(orgList, {});
  return organizations.find((one) => one.id === id);
}

const stateOf = ({ state, reason }: Listed): string => {
  if (state === "active") return "active";
  return `${state === "suspended" ? "suspended" : "to be deleted"} (${reason})`;
};
