/** For `.meta({ …, ...shownAs(example) })` of what changes what it reads: zod leaves `examples` out of its description. */
export const shownAs = (example: unknown) => ({
  override: ({ jsonSchema }: { jsonSchema: object }) => void Object.assign(jsonSchema, { examples: [example] }),
});
