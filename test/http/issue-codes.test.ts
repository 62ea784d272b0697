/** `issues[].code` and `params`: what a client needs to say a fault in another language. */
import { expect, test } from "bun:test";
import { issues as german } from "../../src/console/text/issues.de.ts";
import { issueCodeNames, issueCodes, paramNames } from "../../src/core/issues.ts";
import { expectStatus, newSchool } from "../support/school.ts";

test.each([
  [{ name: "x".repeat(500) }, "body.name", "too_long", { max: 120 }],
  [{ name: 7 }, "body.name", "invalid_type", { kind: "text" }],
  [{ email: "nobody" }, "body.email", "invalid_format", { format: "email" }],
  [{ types: ["pilot", "pilot"] }, "body.types", "repeated", undefined],
  [{ types: ["cook"] }, "body.types.0", "invalid_value", { options: expect.arrayContaining(["pilot"]) }],
  [{ no_such: 1 }, "body.no_such", "no_such_field", { nearest: null }],
])("a body with %p has an issue with its code and the values of its sentence", async (given, path, code, params) => {
  const { owner } = await newSchool();
  const answer = await owner.post("/people", { name: "Ada", types: ["pilot"], ...given });
  const [found] = expectStatus(400, answer).body.issues;
  expect(found).toMatchObject({ path, code });
  expect(found.params).toEqual(params);
});

test("a German sentence with values has those of its code, and no other", () => {
  for (const code of issueCodeNames) {
    const sentence = german[code];
    if (typeof sentence !== "string") expect([code, paramNames(code)]).not.toEqual([code, []]);
    expect(issueCodes[code]).toEndWith(".");
  }
});
