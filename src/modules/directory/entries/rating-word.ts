import { folded } from "../../../core/words.ts";

/** The word of a rating. No text has it: it begins with a sign. */
export const ratingWord = (rating: string): string => `=${folded(rating).slice(0, 40)}`;
