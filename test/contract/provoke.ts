/** What provocations are made of: a scene, and requests that go wrong in the ways that every route has in common. */
import type { Answer, Call, Installation } from "../support/installation.ts";
import type { School } from "../support/school.ts";
import { maxBodyBytes } from "./facts.ts";

/** A school and an address of this request's own. */
export interface Scene {
  school: School<Installation>;
  from: string;
}

export type Provocation = (scene: Scene) => Promise<Answer>;
export type Provocations = Record<number, Provocation>;

/** Any request to one route, from the scene's address. */
export const to =
  (method: string, path: string) =>
  ({ school, from }: Scene, call: Call = {}) =>
    school.installation.call(method, path, { from, ...call });

/** The refusals of whatever reads a body. */
export const ofBodies = (route: ReturnType<typeof to>): Provocations => ({
  413: (scene) => route(scene, { body: { too_long: "x".repeat(maxBodyBytes) } }),
  415: (scene) => route(scene, { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }),
});

/** The request, with the control database out of order for as long as it lasts. */
export const broken =
  (route: ReturnType<typeof to>, callOf: (scene: Scene) => Call | Promise<Call>): Provocation =>
  async (scene) => {
    const call = await callOf(scene);
    const { control } = scene.school.installation.storage;
    const { read, write } = control;
    const fail = () => Promise.reject(new Error("s3cr3t: the disk is gone"));
    Object.assign(control, { read: fail, write: fail });
    try {
      return await route(scene, call);
    } finally {
      Object.assign(control, { read, write });
    }
  };

export const repeat = async (times: number, provoke: () => Promise<Answer>): Promise<Answer> => {
  for (let count = 1; count < times; count += 1) await provoke();
  return provoke();
};
