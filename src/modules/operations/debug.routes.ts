import { Elysia } from "elysia";
import { z } from "zod";
import { badRequest, notFound } from "../../core/errors.ts";
import type { Backlogs } from "../../events/backlogs.ts";
import type { Dispatcher } from "../../events/dispatcher.ts";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import { jobNamePattern } from "../../scheduler/job.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { findDispatcher, findScheduler, findSchedulers, runsOfOne } from "./debug.queries.ts";
import { DispatcherStatus, SchedulerRef, SchedulerStatus, UnusableTenant } from "./debug.schemas.ts";
import { debugAccess, requireDebugAccess } from "./debug-access.ts";

interface DebugDeps {
  /** Whether the operator has enabled these routes. */
  enabled: boolean;
  scheduler: Pick<Scheduler, "jobs">;
  deliveries: Pick<Dispatcher, "stats" | "outcomes">;
  backlogs: Backlogs;
  tenants: Pick<TenantStore, "unusable">;
}

const Many = data(z.array(SchedulerStatus));
const One = data(SchedulerStatus);
const OfDispatcher = data(DispatcherStatus);
const UnusableTenants = data(z.array(UnusableTenant));

/** `/debug/schedulers`, `/debug/dispatcher`, `/debug/unusable-tenants` */
export const debugRoutes = (
  { maybeSignedIn }: Http,
  { enabled, scheduler, deliveries, backlogs, tenants }: DebugDeps,
) =>
  new Elysia({ name: "debug", prefix: "/debug", tags: ["Operational"] })
    .derive(() => {
      // Before the gate: disabled routes answer 404 even to an invalid token.
      if (!enabled) throw notFound();
    })
    .use(maybeSignedIn)
    .get(
      "/schedulers",
      async ({ context, client, request }) => {
        await requireDebugAccess(context, client, request);
        const { control } = context;
        const jobs = scheduler.jobs();
        return { data: await control.read((reader) => findSchedulers(reader, jobs)) };
      },
      {
        response: responses({ 200: Many }, 401, 404),
        detail: { summary: "List scheduled jobs", description: `With the last runs of each job. ${debugAccess}` },
      },
    )
    .get(
      "/schedulers/:name",
      async ({ context, client, request, params: { name } }) => {
        await requireDebugAccess(context, client, request);
        const { control } = context;
        if (!jobNamePattern.test(name)) throw badRequest("Invalid job name.");
        const job = scheduler.jobs().find((one) => one.name === name);
        if (job === undefined) throw notFound();
        return { data: await control.read((reader) => findScheduler(reader, job, runsOfOne)) };
      },
      {
        params: SchedulerRef,
        response: responses({ 200: One }, 400, 401, 404),
        detail: { summary: "Get a scheduled job", description: `With its last runs. ${debugAccess}` },
      },
    )
    .get(
      "/dispatcher",
      async ({ context, client, request }) => {
        await requireDebugAccess(context, client, request);
        return { data: await findDispatcher(context.control, { deliveries, backlogs }) };
      },
      {
        response: responses({ 200: OfDispatcher }, 401, 404),
        detail: {
          summary: "Get the state of the dispatcher",
          description: `Its current and pending deliveries. ${debugAccess}`,
        },
      },
    )
    .get(
      "/unusable-tenants",
      async ({ context, client, request }) => {
        await requireDebugAccess(context, client, request);
        const found = tenants.unusable();
        return {
          data: found.map(({ orgId, since, faults }) => ({ organization_id: orgId, since, faults: [...faults] })),
        };
      },
      {
        response: responses({ 200: UnusableTenants }, 401, 404),
        detail: {
          summary: "List organizations whose file can't be used",
          description: `Files that failed a check, could not be opened, or could not be migrated. Requests for them get 503 \`TENANT_UNAVAILABLE\` until the file is replaced. ${debugAccess}`,
        },
      },
    );
