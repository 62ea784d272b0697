import { z } from "zod";
import { idOf, languageOfTexts } from "../../../http/fields.ts";
import { lastDoneInputs } from "../items/items.schemas.ts";
import { item } from "../items/items.shapes.ts";

export const TemplateListQuery = z.strictObject({ language: languageOfTexts });

export const TemplateUse = z
  .strictObject({ aircraft_id: idOf<"aircraft">(), language: languageOfTexts, ...lastDoneInputs })
  .meta({
    id: "MaintenanceTemplateUse",
    description: "When all of the items were last done, if that is known. It can be changed for each item afterwards.",
  });
export type TemplateUse = z.infer<typeof TemplateUse>;

const { name, critical, hours_counter, interval_hours, interval_months, interval_landings } = item.schema.shape;
const { tolerance_months, tolerance_days, upcoming_days } = item.schema.shape;

export const Template = z
  .strictObject({
    key: z.string().meta({ examples: ["piston-aeroplane"] }),
    name: z.string().meta({ examples: ["Aeroplane with a piston engine"] }),
    items: z.array(
      z.strictObject({
        ...{ name, critical, hours_counter, interval_hours, interval_months, interval_landings },
        ...{ tolerance_months, tolerance_days, upcoming_days },
      }),
    ),
  })
  .meta({ id: "MaintenanceTemplate" });

export const TemplateRef = z.object({
  orgId: idOf<"organization">(),
  key: z.string().meta({ examples: ["piston-aeroplane"] }),
});
