import fc from "fast-check";

export const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text, { overflow: "reject" });

/** Any day of a period, both ends included. */
export const someDay = (first: string, last: string): fc.Arbitrary<Temporal.PlainDate> =>
  fc
    .integer({ min: 0, max: day(first).until(day(last), { largestUnit: "days" }).days })
    .map((days) => day(first).add({ days }));
