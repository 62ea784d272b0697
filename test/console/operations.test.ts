/** The types of the console's client are those of the document. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { clientOf } from "../../scripts/generate-client.ts";
import { documentOf } from "../support/document.ts";
import { sharedInstallation } from "../support/installation.ts";

test("operations.ts is what scripts/generate-client.ts makes of the document", async () => {
  const { app } = await sharedInstallation();
  const kept = await readFile(new URL("../../src/console/api/operations.ts", import.meta.url), "utf8");
  // Not `toBe`, whose message would be both files.
  const isSame = kept === clientOf(documentOf(app));
  expect({ isSame, otherwise: "bun scripts/generate-client.ts" }).toMatchObject({ isSame: true });
});
