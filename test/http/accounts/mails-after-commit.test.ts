/** Mails are sent after the commit: a link of a rolled-back transaction would be invalid. */
import { expect, test } from "bun:test";
import { hours } from "../../../src/core/clock.ts";
import type { Control } from "../../../src/storage/store.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { invitedStudent, newStudent } from "../organizations/students.ts";
import { freshAddress, type Newcomer, prove, renewed, signUp, signUpAloneBody, signUpBody } from "./newcomers.ts";

/** Makes every transaction of the control database fail at its end. @returns a function that undoes this */
function failAtCommit({ storage: { control } }: Installation): () => void {
  const write = control.write.bind(control);
  const failing: Control["write"] = (body) =>
    write(async (tx) => {
      await body(tx);
      throw new Error("the disk is full");
    });
  Object.assign(control, { write: failing });
  return () => void Object.assign(control, { write });
}

type Asked = [method: string, path: string, body?: object];

const mailing: [string, (at: Installation, olga: Newcomer) => Asked | Promise<Asked>][] = [
  ["a sign-up", () => ["POST", "/auth/signup", signUpAloneBody()]],
  ["a sign-up of an organization", () => ["POST", "/auth/signup-org", signUpBody("otto@example.com")]],
  [
    "another verification",
    (at) => {
      at.clock.advance(hours(1)); // there is one an hour
      return ["POST", "/auth/email/verification"];
    },
  ],
  ["a reset", (_, { email }) => ["POST", "/auth/password/forgot", { email }]],
  [
    "an invite",
    (_, { orgId }) => ["POST", `/orgs/${orgId}/invites`, { email: "ines@example.com", roles: ["student"] }],
  ],
  [
    "a student's invite",
    async (at, olga) => ["POST", `/orgs/${olga.orgId}/student-invites`, { person_id: await newStudent(at, olga) }],
  ],
  [
    "an invite sent again",
    async (at, olga) => {
      const { id } = await invitedStudent(at, olga);
      return ["POST", `/orgs/${olga.orgId}/student-invites/${id}/resend`];
    },
  ],
  [
    "a password that was changed",
    async (at, olga) => {
      await prove(at, olga);
      const body = { current_password: "correct horse battery", new_password: "another horse battery" };
      return ["POST", "/auth/password", body];
    },
  ],
  [
    "a password that was reset",
    async (at, olga) => {
      await prove(at, olga);
      await at.call("POST", "/auth/password/forgot", { body: { email: olga.email } });
      const token = tokenIn(at.mails, olga.email, "reset");
      return ["POST", "/auth/password/reset", { token, password: "another horse battery" }];
    },
  ],
];

test.each(mailing)("%s sends a mail after the commit, and none after a rollback", async (what, ask) => {
  const answers = [];
  for (const fails of [true, false]) {
    const at = await newInstallation();
    const signedUp = await signUp(at);
    const [method, path, body] = await ask(at, signedUp);
    const olga = await renewed(at, signedUp);
    at.mails.length = 0;
    const goOn = fails ? failAtCommit(at) : () => undefined;
    const call = { token: olga.token, from: freshAddress(), ...(body && { body }) };
    const { status } = await at.call(method, path, call);
    goOn();
    answers.push([status >= 500, at.mails.length]);
  }
  // A reset is carried out after its response.
  const isShown = what !== "a reset";
  expect(answers).toEqual([
    [isShown, 0],
    [false, 1],
  ]);
});
