import { Elysia } from "elysia";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { badRequest, notFound } from "../../core/errors.ts";
import type { Http } from "../../http/http.ts";
import type { ClientInfo } from "../../http/request-state.ts";
import { data, responses } from "../../http/responses.ts";
import { jobNamePattern } from "../../scheduler/job.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import type { Context } from "../../storage/context.ts";
import { platformPermissionsOf } from "../accounts/platform-permissions.queries.ts";
import { findScheduler } from "./debug.queries.ts";
import { SchedulerRef, SchedulerStatus } from "./debug.schemas.ts";

interface DebugDeps {
  /** Whether the operator has switched these routes on. */
  enabled: boolean;
  scheduler: Pick<Scheduler, "jobs">;
}

const Many = data(z.array(SchedulerStatus));
const One = data(SchedulerStatus);

/** How many runs are shown of each job: in the list of all, and of one alone. */
const runsInList = 10;
const runsOfOne = 100;

const whoMay =
  "Only when the operator has switched it on: from the machine itself, and from elsewhere to whoever is permitted `platform_admin.debug:read`. 404 for everybody else.";

/** `/debug/schedulers` */
export const debugRoutes = ({ maybeSignedIn }: Http, { enabled, scheduler }: DebugDeps) =>
  new Elysia({ name: "debug", prefix: "/debug/schedulers", tags: ["Operational"] })
    .derive(() => {
      // Before the door: where it is switched off, not even a bad token has another answer.
      if (!enabled) throw notFound();
    })
    .use(maybeSignedIn)
    .get(
      "",
      async ({ context, client, request }) => {
        await requireMayLook(context, client, request);
        const { control } = context;
        const jobs = scheduler.jobs();
        return {
          data: await control.read((reader) => Promise.all(jobs.map((job) => findScheduler(reader, job, runsInList)))),
        };
      },
      {
        response: responses({ 200: Many }, 401, 404),
        detail: { summary: "List scheduled jobs", description: `Each with its last runs. ${whoMay}` },
      },
    )
    .get(
      "/:name",
      async ({ context, client, request, params: { name } }) => {
        await requireMayLook(context, client, request);
        const { control } = context;
        if (!jobNamePattern.test(name)) throw badRequest("No job can have such a name.");
        const job = scheduler.jobs().find((one) => one.name === name);
        if (job === undefined) throw notFound();
        return { data: await control.read((reader) => findScheduler(reader, job, runsOfOne)) };
      },
      {
        params: SchedulerRef,
        response: responses({ 200: One }, 400, 401, 404),
        detail: { summary: "Get a scheduled job", description: `With its last runs. ${whoMay}` },
      },
    );

/** @throws NOT_FOUND to whoever is neither on the machine itself nor permitted */
async function requireMayLook({ actor, control }: Context, client: ClientInfo, request: Request): Promise<void> {
  if (isLocal(client, request)) return;
  if (actor.kind !== "user") throw notFound();
  const held = await control.read((reader) => platformPermissionsOf(reader, actor.userId));
  if (!held.has("platform_admin.debug:read")) throw notFound();
}

/**
 * Whoever is on the machine itself may look. Behind a proxy on the same machine that the operator has not named as one,
 * everybody seems to be: so a request that any proxy has passed on does not count as local.
 */
function isLocal({ address }: ClientInfo, { headers }: Request): boolean {
  const isLoopback = ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
  const isPassedOn = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some((name) => headers.has(name));
  return isLoopback && !isPassedOn;
}
