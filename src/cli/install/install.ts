/** `windsock install`: makes this program a service of the machine. */
import process from "node:process";
import { messageOf } from "../../core/system-error.ts";
import { ownProgram } from "../../runtime/own-program.ts";
import { command } from "../strict-command.ts";
import { planSystemd, variablesOfService } from "./plan-systemd.ts";
import { strayVariables } from "./stray-variables.ts";
import { account, dataDirectory } from "./systemd-unit.ts";

export const install = command(
  { name: "install", description: "Install this program as a service. Says what it does, then does it" },
  {
    args: {
      systemd: { type: "boolean", description: "As a service of systemd: an account, a unit, a file of variables" },
      "dry-run": { type: "boolean", description: "Only say it" },
    },
    async run({ systemd, "dry-run": isDryRun = false }) {
      if (systemd !== true) throw new Error("Say as what: windsock install --systemd");
      if (process.platform !== "linux") throw new Error("systemd is on Linux only.");
      if (!isDryRun && process.getuid?.() !== 0)
        throw new Error("Only root can install a service: use sudo, or --dry-run to see what it does.");
      const steps = await planSystemd({ program: ownProgram("serve") });
      for (const { text, content = "" } of steps)
        process.stdout.write(`${text}\n${content.replaceAll(/^(?=.)/gm, "    ")}`);
      const { text } = await variablesOfService();
      for (const line of strayVariables(process.env, text)) process.stderr.write(`${line}\n`);
      if (isDryRun) return;
      for (const { text, perform } of steps)
        await perform().catch((cause: unknown) => {
          const reason = messageOf(cause);
          throw new Error(`Failed: ${text}\n${reason}`, { cause });
        });
      process.stdout.write(
        `Installed. Its log: journalctl -u windsock. What is wrong, if anything:\n  sudo -u ${account} WINDSOCK_DATA_DIR=${dataDirectory} windsock doctor\n`,
      );
    },
  },
);
