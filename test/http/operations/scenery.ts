import { docsAssets } from "../../../src/http/docs-assets.ts";
import type { Scenery } from "../../support/scenery.ts";

export const operationsScenery: Scenery = {
  params: {
    name: async () => "intents",
    version: async () => (await docsAssets()).version,
    file: async () => "style.css",
  },
};
