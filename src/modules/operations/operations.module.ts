import { toInstant } from "../../core/clock.ts";
import type { Module } from "../../module.ts";
import type { AccountParts } from "../accounts/accounts.parts.ts";
import { backup } from "./backup.ts";
import { backupDrill } from "./backup-drill.ts";
import { debugRoutes } from "./debug.routes.ts";
import type { InstallationSettings } from "./describe-installation.ts";
import { examineBackups } from "./doctor/examine-backups.ts";
import { examineData } from "./doctor/examine-data.ts";
import { examineJobs } from "./doctor/examine-jobs.ts";
import type { Figures } from "./figures.ts";
import { finishRestore } from "./finish-restore.ts";
import { installationRoutes } from "./installation.routes.ts";
import { metricsRoutes } from "./metrics.routes.ts";
import type { Metrics } from "./metrics.ts";
import { migrateTenants } from "./migrate-tenants.ts";
import { applyIntents, applyTenantIntents } from "./operations.jobs.ts";
import { operationsPersonal } from "./operations.personal.ts";
import { operationsRoutes } from "./operations.routes.ts";
import { renewCertificate } from "./renew-certificate.ts";
import { scrub } from "./scrub.ts";

interface Own {
  config: InstallationSettings & { oidcProviders: ReadonlyMap<string, unknown>; debugEndpoints: boolean };
  figures: Figures;
  accounts: Pick<AccountParts, "mailer" | "publicUrl" | "signUp">;
  metrics: Metrics | undefined;
}

export const operations = {
  routes: (
    http,
    { config, capabilities, accounts, scheduler, deliveries, backlogs, metrics, tenants, storage, ...services },
  ) => [
    operationsRoutes(http, {
      capabilities,
      oidcProviders: config.oidcProviders,
      mail: accounts.mailer.isConfigured,
      publicUrl: accounts.publicUrl,
      signUp: accounts.signUp,
      tenants,
      storage,
    }),
    debugRoutes(http, { enabled: config.debugEndpoints, scheduler, deliveries, backlogs, tenants }),
    metricsRoutes(http, metrics),
    installationRoutes(http, {
      ...{ settings: config, scheduler, deliveries, backlogs, tenants, disk: storage.disk },
      ...{ figures: services.figures, keepOpen: services.keepOpen },
      startedAt: toInstant(services.clock.now()),
      mailer: accounts.mailer,
    }),
  ],
  jobs: [applyIntents, applyTenantIntents, backup, backupDrill, finishRestore, migrateTenants, renewCertificate, scrub],
  personal: operationsPersonal,
  diagnoses: [examineData, examineBackups, examineJobs],
  tags: { Operational: "Health, capabilities, the audit log and this reference." },
} satisfies Module<Own>;
