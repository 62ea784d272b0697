import { expect, test } from "bun:test";
import { installation } from "../../src/console/text/installation.de.ts";
import { jobs } from "../../src/modules.ts";

test("the German console says what each job does", () => {
  expect(Object.keys(installation.jobDescriptions).sort()).toEqual(jobs.map(({ name }) => name).sort());
});
