/** `windsock org move`, between installations of this process. */
import { moveSchool, type Place } from "../../../src/modules/operations/move-school.ts";
import { orgList } from "../../../src/modules/operations/org-commands.ts";
import { depsOf } from "../../http/moving/moves.ts";
import type { Installation } from "../../support/installation.ts";

const placeOf = (at: Installation): Place => ({
  directory: at.directory,
  publicUrl: at.config.publicUrl,
  run: (command, args) => command.handle(depsOf(at), args),
});

interface Options {
  trace?: (step: string) => void;
  owner?: string;
}

export const move = (from: Installation, to: Installation, id: string, options: Options = {}) =>
  moveSchool({ from: placeOf(from), to: placeOf(to), id, by: "olga", ...options });

/** The state of a school; undefined: it is not there. Only one that is active is served. */
export const stateAt = async (at: Installation, id: string) =>
  (await orgList.handle(depsOf(at), {})).organizations.find((one) => one.id === id)?.state;
