import { Elysia } from "elysia";
import { z } from "zod";
import { notFound, Problem } from "../../core/errors.ts";
import type { Finding as ExaminedFinding } from "../../core/finding.ts";
import type { Http } from "../../http/http.ts";
import { listPage } from "../../http/list-page.ts";
import { data, page, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import type { Services } from "../../module.ts";
import type { SignedIn } from "../../storage/context.ts";
import { platformPermissionsOf } from "../accounts/operator/platform-permissions.queries.ts";
import { findDispatcher, findScheduler, findSchedulers, runsOfOne } from "./debug.queries.ts";
import { DispatcherStatus, SchedulerRef, SchedulerStatus } from "./debug.schemas.ts";
import { describeInstallation, type InstallationSources } from "./describe-installation.ts";
import { Findings, Installation, SchoolsQuery } from "./installation.schemas.ts";
import { listSchools } from "./schools.queries.ts";
import { installationSchool } from "./schools.shapes.ts";

interface InstallationDeps
  extends Omit<InstallationSources, "control" | "tenants">,
    Pick<Services, "deliveries" | "backlogs" | "tenants" | "keepOpen"> {}

/** Before the input is validated. @throws NOT_FOUND the account lacks the permission: it does not learn what there is */
async function transform({ context: { control, actor } }: { context: SignedIn }): Promise<void> {
  const held = await control.read((reader) => platformPermissionsOf(reader, actor.userId));
  if (!held.has("platform_admin.installation:read")) throw notFound();
}

const access = "For accounts with `platform_admin.installation:read`; 404 for all others.";

/** `/installation`: what the operator's page shows. */
export const installationRoutes = ({ signedIn }: Http, deps: InstallationDeps): RoutePlugin =>
  new Elysia({ name: "installation", prefix: "/installation", tags: ["Operational"] })
    .use(signedIn)
    .get("/", async ({ context: { control } }) => ({ data: await describeInstallation({ ...deps, control }) }), {
      transform,
      response: responses({ 200: data(Installation) }, 401, 404),
      detail: {
        summary: "Get the installation",
        description: `Its version, disk, limits, mails and backups. ${access}`,
      },
    })
    .get(
      "/findings",
      async ({ request }) => {
        const { findings } = deps.figures;
        // A mail server that does not respond takes seconds.
        using _ = deps.keepOpen(request);
        await findings.refresh();
        const { value, readAt } = findings;
        if (value === undefined || readAt === undefined)
          throw new Problem("UNAVAILABLE", "The server could not be examined. Run `windsock doctor` on its machine.");
        return { data: { examined_at: readAt, findings: value.toSorted(worstFirst) } };
      },
      {
        transform,
        response: responses({ 200: data(Findings) }, 401, 404),
        detail: {
          summary: "Examine the installation",
          description: `What \`windsock doctor\` finds, with what to do. ${access}`,
        },
      },
    )
    .get(
      "/schools",
      async ({ context: { control }, query }) => {
        const { figures, tenants } = deps;
        await Promise.all([figures.files.refresh(), figures.newestBackup.refresh()]);
        return listPage(query, (query) => {
          const known = { files: figures.files.value, newest: figures.newestBackup.value };
          return control.read((reader) => listSchools(reader, { ...known, unusable: tenants.unusable() }, query));
        });
      },
      {
        transform,
        query: SchoolsQuery,
        response: responses({ 200: page(installationSchool.schema) }, 400, 401, 404),
        detail: {
          summary: "List the schools of the installation",
          description: `With the size and the state of each file, without its records. ${access}`,
        },
      },
    )
    .get(
      "/jobs",
      async ({ context: { control } }) => ({
        data: await control.read((reader) => findSchedulers(reader, deps.scheduler.jobs())),
      }),
      {
        transform,
        response: responses({ 200: data(z.array(SchedulerStatus)) }, 401, 404),
        detail: { summary: "List the jobs of the installation", description: `With the last runs of each. ${access}` },
      },
    )
    .get(
      "/jobs/:name",
      async ({ context: { control }, params: { name } }) => {
        const job = deps.scheduler.jobs().find((one) => one.name === name);
        if (job === undefined) throw notFound();
        return { data: await control.read((reader) => findScheduler(reader, job, runsOfOne)) };
      },
      {
        transform,
        params: SchedulerRef,
        response: responses({ 200: data(SchedulerStatus) }, 401, 404),
        detail: { summary: "Get a job of the installation", description: `With its last runs. ${access}` },
      },
    )
    .get("/deliveries", async ({ context: { control } }) => ({ data: await findDispatcher(control, deps) }), {
      transform,
      response: responses({ 200: data(DispatcherStatus) }, 401, 404),
      detail: {
        summary: "Get the deliveries of the installation",
        description: `Counts of current and pending deliveries. ${access}`,
      },
    });

const severity = { error: 0, warning: 1, fine: 2 } as const satisfies Record<ExaminedFinding["level"], number>;
const worstFirst = (a: ExaminedFinding, b: ExaminedFinding) => severity[a.level] - severity[b.level];
