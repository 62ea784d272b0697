/** The console in the executable: `scripts/build.ts` puts the bundle in place of this `undefined`. */
import type { ConsoleBundle } from "../core/console-bundle.ts";

export const embedded: ConsoleBundle | undefined = undefined;
