/**
 * Runs one task in a process that is killed at the given step, as by a power cut:
 *
 *   bun crashing.ts DIRECTORY STEP sign-up|claim|student-claim TOKEN
 *   bun crashing.ts DIRECTORY STEP post REQUEST   any POST: its path, body, token and headers as JSON
 *
 * It prints `acknowledged` after the response, and exits normally if the task has fewer steps.
 */
import { writeSync } from "node:fs";
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
  const { path, ...call } = JSON.parse(token);
  return installation.call("POST", path, call);
};
const answer = await ask();
if (answer.status >= 300) throw new Error(answer.text);
writeSync(1, "acknowledged");
process.exit(0);
