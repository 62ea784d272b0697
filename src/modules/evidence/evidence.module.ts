import type { Module } from "../../module.ts";
import { vtrIssued } from "./evidence.events.ts";
import { evidenceFollows } from "./evidence.follows.ts";
import { evidencePackBuilding } from "./evidence.jobs.ts";
import { evidencePersonal } from "./evidence.personal.ts";
import * as tables from "./evidence.tables.ts";
import { evidenceChanges } from "./evidence-changes.queries.ts";
import { creditsImportRoute } from "./import/import.routes.ts";
import { signingKeyRoutes } from "./keys/keys.routes.ts";
import { packRoutes } from "./packs/packs.routes.ts";
import { publicVtrRoute, publicVtrRoutes } from "./packs/public.routes.ts";
import { verificationRoutes } from "./verification/verification.routes.ts";

export const evidence = {
  capability: "evidence",
  tables: { tenant: tables },
  routes(http, { config: { publicUrl, attachmentQuota }, background, log, tenants, storage }) {
    return [
      packRoutes(http, {
        quota: attachmentQuota,
        build: ({ control, clock, tenant }, packId) =>
          background.run(async () => {
            const { stopping } = background;
            const { buildPack } = await import("./packs/build-pack.ts");
            const { leases } = storage;
            await buildPack({ control, clock, log, publicUrl, attachmentQuota, stopping, leases }, tenant, packId);
          }),
      }),
      signingKeyRoutes(http),
      publicVtrRoutes(http),
      publicVtrRoute(http),
      verificationRoutes(http, { tenants }),
      creditsImportRoute(http),
    ];
  },
  events: [vtrIssued],
  jobs: [evidencePackBuilding],
  follows: evidenceFollows,
  personal: evidencePersonal,
  changes: evidenceChanges,
  tags: {
    "Evidence packs": "Signed files of approved records, which everybody can verify, and the keys that sign them.",
    Verification: "For the holder of an evidence pack or of a link to one, without an account.",
  },
} satisfies Module<{ config: { publicUrl: string; attachmentQuota: number } }>;
