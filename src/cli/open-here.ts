import type { Config } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import type { Engine } from "../engine.ts";
import { createLog } from "../http/request-log.ts";
import { compileAsUsual, compileLater } from "../runtime/compilation.ts";
import { createChecker } from "./create-checker.ts";

/**
 * Opens an installation that no server uses, in this process. The modules are loaded only then: a command that a server runs, or that
 * shows its usage, takes half the time without them.
 */
export async function openHere(config: Config, options: { rebuildsControl?: boolean } = {}): Promise<Engine> {
  compileLater();
  const { openEngine } = await import("../engine.ts");
  compileAsUsual();
  return openEngine({ config, clock: systemClock, log: createLog("silent"), checker: createChecker(), ...options });
}
