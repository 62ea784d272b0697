/** How a field that changes what it reads is described: as what a caller sends, not as the steps it goes through. */
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

/** For `.meta(documentedAs({ … }))`: replaces all that zod would derive, but for what a use of the field says it is for. */
export const documentedAs = (documented: Documented) => ({
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    for (const key of Object.keys(jsonSchema)) if (key !== "description") Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, documented);
  },
});
