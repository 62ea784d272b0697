import { open, rm } from "node:fs/promises";
import { Elysia } from "elysia";
import { toInstant } from "../../core/clock.ts";
import { conflict, contentDamaged, diskFull } from "../../core/errors.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { createLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import { fileResponse, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { sendFile } from "../../http/send-file.ts";
import { shownOnce } from "../../http/shown-once.ts";
import { servedWhileSuspended } from "../../http/while-suspended.ts";
import type { Services } from "../../module.ts";
import { MoveBusy, MoveRefused } from "../../storage/move/move-refused.ts";
import { isDiskFull } from "../../storage/sqlite-error.ts";
import { exportOwnSchool } from "./export-school.ts";
import { NewSchoolExport } from "./moving.schemas.ts";

type Needed = Pick<Services, "clock" | "intents" | "keepOpen" | "moved" | "stopping" | "storage">;

/** `/orgs/{orgId}/export` */
export function movingRoutes({ session }: Http, { clock, storage, keepOpen, ...services }: Needed): RoutePlugin {
  const perOwner = createLimiter({ clock, limit: 3, windowSeconds: 60 * 60 });
  const deps = { ...services, moves: storage.moves, keys: storage.keys };
  return new Elysia({ name: "moving", prefix: "/orgs/:orgId", tags: ["Organizations"] }).use(session).post(
    "/export",
    async ({ context, body, request, set }) => {
      const { orgId, userId } = context.actor;
      takeOrRefuse(set, "school-export", perOwner, `${orgId} ${userId}`);
      // The export of a large school takes longer than the runtime waits.
      using _ = keepOpen(request);
      const { path, bytes, sha256 } = await exportOwnSchool(context, deps, body).catch(asProblem);
      const day = toInstant(clock.now()).slice(0, 10);
      const file = { filename: `windsock-${orgId}-${day}.age`, mediaType: "application/octet-stream" };
      return sendFile({ request, set }, { ...file, bytes, hash: sha256 }, await taken(path, request.signal));
    },
    {
      // The school is its owners', whatever the operator has against it.
      transform: [requires("organization:export"), servedWhileSuspended],
      body: NewSchoolExport,
      response: responses(
        { 200: shownOnce(fileResponse(["application/octet-stream"])) },
        400,
        401,
        404,
        "content_damaged",
        "disk_full",
        "export_running",
        "step_up_required",
      ),
      detail: {
        summary: "Export the whole school",
        description:
          "One file, encrypted with the passphrase (age), that `windsock adopt` takes at another installation: all records of the school, its members and their roles, open invites, opportunities and add-ons. Without passwords and second factors: members choose a password there. For owners, three times an hour.",
      },
    },
  );
}

function asProblem(error: unknown): never {
  if (error instanceof MoveBusy) throw conflict("export_running", error.message);
  if (error instanceof MoveRefused) throw contentDamaged(error.message);
  if (isDiskFull(error)) throw diskFull(error);
  throw error;
}

/** Opens a file and removes its name: nothing is left of it, however the response ends. @returns its pieces */
async function taken(path: string, signal: AbortSignal): Promise<() => AsyncGenerator<Uint8Array>> {
  const file = await open(path);
  await rm(path, { force: true });
  const close = () => void file.close().catch(() => undefined);
  signal.addEventListener("abort", close, { once: true });
  return async function* pieces() {
    try {
      for (;;) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(256 * 1024));
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      signal.removeEventListener("abort", close);
      close();
    }
  };
}
