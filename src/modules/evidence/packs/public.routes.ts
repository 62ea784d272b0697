import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { publicList } from "../../../http/public-list.ts";
import { publicResource } from "../../../http/public-resource.ts";
import { findPublicVtr, listPublicVtr } from "./packs.queries.ts";
import { PublicVtrListQuery } from "./packs.schemas.ts";
import { publicVtr } from "./packs.shapes.ts";

const scope = "public.vtr:read";

/** `/api/v1/public/vtr` */
export const publicVtrRoutes = (http: Http) =>
  publicList(http, {
    path: "vtr",
    scope,
    query: PublicVtrListQuery,
    item: publicVtr.schema,
    read: listPublicVtr,
    summary: "List evidence packs",
    description:
      "Newest first. Metadata only: the packs themselves are not in the public API. With `updated_since`, those requested or changed since then, in the order of the changes.",
  });

/** `/api/v1/public/vtr/{vtrId}` */
export const publicVtrRoute = (http: Http) =>
  publicResource(http, {
    path: "vtr/:vtrId",
    scope,
    ref: z.object({ vtrId: idOf<"evidence_pack">() }),
    schema: publicVtr.schema,
    read: (reader, { vtrId }) => findPublicVtr(reader, vtrId),
    summary: "Get an evidence pack",
    description: "Metadata only.",
  });
