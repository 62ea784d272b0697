/** Describes fields that transform their input, for the OpenAPI document. zod can't derive it from a transform. */

/** A JSON schema of the input. */
interface Documented {
  type: "string" | "integer" | "boolean";
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: string | number | boolean;
  description?: string;
  examples: [string | number | boolean];
}

/** For `.meta(documentedAs({ … }))`. Replaces the schema that zod derives, except the description. */
export const documentedAs = (documented: Documented) => ({
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    for (const key of Object.keys(jsonSchema)) if (key !== "description") Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, documented);
  },
});
/** For `.meta({ …, ...shownAs(example) })` of what changes what it reads: zod leaves `examples` out of its description. */
export const shownAs = (example: unknown) => ({
  override: ({ jsonSchema }: { jsonSchema: object }) => void Object.assign(jsonSchema, { examples: [example] }),
});
