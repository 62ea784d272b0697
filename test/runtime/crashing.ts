/**
 * Runs one task in a process that is killed at the given step, as by a power cut:
 *
 *   bun crashing.ts DIRECTORY STEP sign-up|claim|student-claim TOKEN
 *   bun crashing.ts DIRECTORY STEP post REQUEST   any request: its method (POST if it has none), path, body, token and headers as JSON
 *   bun crashing.ts DIRECTORY STEP disable EMAIL  the operator's command
 *
 * It prints `acknowledged` after the response, and exits normally if the task has fewer steps.
 */
import { writeSync } from "node:fs";
import { disableAccount } from "../../src/modules/accounts/operator/disable-account.ts";
import { type Answer, newInstallation } from "../support/installation.ts";
import { claimBody, claimPath, signUpBody } from "./crash-bodies.ts";

const [directory = "", step = "", task = "", token = ""] = process.argv.slice(2);

let steps = Number.POSITIVE_INFINITY;
const trace = () => {
  steps -= 1;
  if (steps === 0) process.kill(process.pid, "SIGKILL");
};

const installation = await newInstallation({ directory, trace, checked: false });
steps = Number(step);
const ask = (): Promise<Answer> => {
  if (task === "sign-up") return installation.call("POST", "/auth/signup-org", { body: signUpBody });
  if (task !== "post") return installation.call("POST", claimPath(task), { body: { ...claimBody, token } });
  const { path, method = "POST", ...call } = JSON.parse(token);
  return installation.call(method, path, call);
};
if (task === "disable") {
  const { clock, storage } = installation;
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  await disableAccount(operator, { email: token });
} else {
  const answer = await ask();
  if (answer.status >= 300) throw new Error(answer.text);
}
writeSync(1, "acknowledged");
process.exit(0);
