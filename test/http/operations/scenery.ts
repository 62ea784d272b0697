import { docsAssets } from "../../../src/http/docs-assets.ts";
import { newOperator } from "../../support/operator.ts";
import type { Called, Scenery, StagedSchool } from "../../support/scenery.ts";

const operating = async ({ installation }: StagedSchool): Promise<Called> => ({
  caller: (await newOperator(installation)).token,
});

export const operationsScenery: Scenery = {
  params: {
    name: async () => "intents",
    version: async () => (await docsAssets()).version,
    file: async () => "style.css",
  },
  callers: {
    "GET /installation": operating,
    "GET /installation/findings": operating,
    "GET /installation/schools": operating,
    "GET /installation/jobs": operating,
    "GET /installation/jobs/{name}": operating,
    "GET /installation/deliveries": operating,
  },
};
