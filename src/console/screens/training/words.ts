/** The texts about training, in the present language. They are loaded with these screens. */
import { type Language, language } from "../../app/language.ts";
import { training as de } from "../../text/training.de.ts";
import { training as en, type TrainingTexts } from "../../text/training.en.ts";

const texts: Record<Language, TrainingTexts> = { en, de };

export const trainingText = (): TrainingTexts => texts[language.value];
