import { expect, test } from "bun:test";
import { isNested, underAnotherParent } from "../support/stage.ts";

test("underAnotherParent moves a record to the parent of another path", () => {
  const template = "/orgs/{orgId}/people/{personId}/documents/{documentId}";
  expect(underAnotherParent({ template }, "/orgs/o/people/ada/documents/1", "/orgs/o/people/bob/documents/2")).toBe(
    "/orgs/o/people/bob/documents/1",
  );
  const restored = { template: `${template}/restore` };
  expect(
    underAnotherParent(restored, "/orgs/o/people/ada/documents/1/restore", "/orgs/o/people/bob/documents/2/restore"),
  ).toBe("/orgs/o/people/bob/documents/1/restore");
  expect(isNested({ template })).toBe(true);
  expect(isNested({ template: "/orgs/{orgId}/flights/{flightId}" })).toBe(false);
});
