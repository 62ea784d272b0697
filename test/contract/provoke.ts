/** Helpers for provocations: a scene, and the faulty requests that all routes share. */
import type { Answer, Call, Installation } from "../support/installation.ts";
import type { School } from "../support/school.ts";
import { maxBodyBytes } from "./facts.ts";

/** A school and a client address for one request. */
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

/** The refusals of every route that reads a body. */
export const ofBodies = (route: ReturnType<typeof to>): Provocations => ({
  413: (scene) => route(scene, { body: { too_long: "x".repeat(maxBodyBytes) } }),
  415: (scene) => route(scene, { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }),
});

/** The request, while the control database fails. */
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
