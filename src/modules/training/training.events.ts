import { defineEvent } from "../../events/catalog.ts";
import { dataOf } from "../../events/data-of.ts";
import { publicSignoff } from "./signoffs/signoffs.shapes.ts";
import { trainingSignoffs } from "./training.tables.ts";

export const signoffData = dataOf("signoff", publicSignoff, trainingSignoffs);

export const signoffRecorded = defineEvent("training.signoff.recorded", { data: signoffData.schema });
