/** For `bun --preload`: the tests are run as on the other runtimes, not by `bun test`. */
import { testSources } from "./test-sources.ts";

await Bun.plugin(testSources);
