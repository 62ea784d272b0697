/** The refusals that every route with an `Idempotency-Key` has, made from the request that it would succeed with. */
import type { Answer, Call } from "../support/installation.ts";
import type { Provocation, Provocations, Scene } from "./provoke.ts";
import { nameOf, type Row, rows } from "./rows.ts";
import { takesIdempotencyKey } from "./settled.ts";

type Ask = (path: string, call: Call) => Promise<Answer>;

/** The requests of `provoke`, but for the one to the row itself, which `instead` makes as it likes. */
const changed =
  (
    row: Row,
    provoke: Provocation,
    instead: (scene: Scene, ask: Ask, path: string, call: Call) => Promise<Answer>,
  ): Provocation =>
  (scene: Scene) => {
    const { installation } = scene.school;
    const call = (method: string, path: string, sent: Call = {}) =>
      method === row.method && path === row.path
        ? instead(scene, (elsewhere, other) => installation.call(method, elsewhere, other), path, sent)
        : installation.call(method, path, sent);
    return provoke({ ...scene, school: { ...scene.school, installation: { ...installation, call } } });
  };

const keyed = (call: Call, key: string): Call => ({ ...call, headers: { ...call.headers, "idempotency-key": key } });

/** Two requests at once, of which one is refused while the other waits for the database. */
async function refused({ school }: Scene, ...make: (() => Promise<Answer>)[]): Promise<Answer> {
  const { control } = school.installation.storage;
  const { write } = control;
  const held = Promise.withResolvers<void>();
  Object.assign(control, { write: (body: never) => held.promise.then(() => write.call(control, body)) });
  const requests = make.map((request) => request());
  const answer = await Promise.race(requests);
  Object.assign(control, { write });
  held.resolve();
  await Promise.all(requests);
  return answer;
}

const ofKeys = (row: Row, succeed: Provocation): Provocations => ({
  400: changed(row, succeed, (_, ask, path, call) => ask(path, keyed(call, "two words"))),
  409: changed(row, succeed, (scene, ask, path, call) => {
    const request = () => ask(path, keyed(call, "k"));
    return refused(scene, request, request);
  }),
  // What is asked in the query counts as the body does, and every row may have one.
  422: changed(row, succeed, (scene, ask, path, call) =>
    refused(
      scene,
      () => ask(path, keyed(call, "k")),
      () => ask(`${path}?another=1`, keyed(call, "k")),
    ),
  ),
});

/** Adds them to each row that takes a key, where the row has none of its own. */
export const withKeys = (all: Record<string, Provocations>): Record<string, Provocations> =>
  Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const row = rows.find((one) => nameOf(one) === name && takesIdempotencyKey(one));
      const succeed = row && own[row.success];
      return [name, succeed ? { ...ofKeys(row, succeed), ...own } : own];
    }),
  );
