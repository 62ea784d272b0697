import { z } from "zod";
import { data } from "../../../http/responses.ts";
import { scopeField } from "./api-keys.schemas.ts";

export const Scopes = data(
  z.array(
    z
      .strictObject({
        name: scopeField,
        kind: z.enum(["read", "action"]),
        description: z.string().meta({ examples: ["Read pilots, students and instructors."] }),
        routes: z
          .array(z.string())
          .meta({ description: "What it opens; none yet for some.", examples: [["GET /api/v1/public/pilots"]] }),
      })
      .meta({ id: "Scope" }),
  ),
);
