import type { JobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { buildJobName } from "./packs/build-job.ts";
import { nextPack, waitingPacks } from "./packs/packs.queries.ts";

/** A request starts the work on its own pack. The job continues it after a restart. */
export const evidencePackBuilding = tenantJob({
  name: buildJobName,
  schedule: "15 * * * * *",
  description: "Builds the evidence packs that wait for it, after a restart or when the file could not be used.",
  atStart: true,
  dueFrom: nextPack,
  longest: 0,
  async work({ tenant }, services: JobServices) {
    const { buildPack } = await import("./packs/build-pack.ts");
    let packs = 0;
    for (const id of await tenant.read(waitingPacks)) {
      if (services.stopping.aborted) break;
      if (await buildPack(services, tenant, id)) packs += 1;
    }
    return { packs };
  },
  summary: ({ packs }) => `Built ${counted(packs, "evidence pack")}`,
});
