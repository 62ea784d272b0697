/** `windsock doctor`: looks whether the installation and what is around it are as they should be. */
import process from "node:process";
import program from "../../package.json" with { type: "json" };
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import { type Finding, fault, warning } from "../core/finding.ts";
import { messageOf } from "../core/system-error.ts";
import { doctor as doctorCommand } from "../modules/operations/commands.ts";
import { examineSurroundings } from "../modules/operations/doctor/surroundings.ts";
import { descriptorLimit } from "../runtime/descriptor-limit.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command } from "./strict-command.ts";

export const doctor = command(
  {
    name: "doctor",
    description: "Look for what is wrong with this installation. The exit status is 1 for warnings, 2 for errors",
  },
  {
    args: { json: { type: "boolean", description: "Print the findings as JSON" } },
    async run({ json = false }) {
      const findings = await examine();
      process.stdout.write(json ? `${JSON.stringify({ findings }, null, 2)}\n` : findings.map(lineOf).join(""));
      process.exitCode = Math.max(...findings.map(({ level }) => exitCodes[level]));
    },
  },
);

const exitCodes = { fine: 0, warning: 1, error: 2 } as const satisfies Record<Finding["level"], number>;

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    return [fault("configuration", messageOf(error), "Correct these variables. The server does not start with them.")];
  }
  const found = config.warnings.map((message) => warning("configuration", message, "See `windsock manual`."));
  try {
    const { version, findings } = await runInServerOrHere(doctorCommand, {});
    return [...found, ...otherVersion(version), ...findings];
  } catch (error) {
    const limit = await descriptorLimit();
    const surroundings = await examineSurroundings({
      settings: config,
      clock: systemClock,
      descriptorLimit: limit,
      isServing: false,
    });
    return [...found, ...surroundings, fault("data", messageOf(error), "See `windsock manual data`. Then try again.")];
  }
}

/** @param version that of the running server */
export function otherVersion(version: string): Finding[] {
  if (version === program.version) return [];
  const message = `The running server is Windsock ${version}, this program is ${program.version}.`;
  return [warning("versions", message, "Restart the server.")];
}

const lineOf = ({ subject, level, message, remedy }: Finding): string =>
  `${level.padEnd(8)} ${subject.padEnd(15)} ${message.replaceAll("\n", `\n${" ".repeat(25)}`)}\n${remedy === undefined ? "" : `${" ".repeat(25)}${remedy}\n`}`;
