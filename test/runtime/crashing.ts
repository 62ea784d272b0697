/**
 * A process that does one thing and is killed at the given step of it, as by a power cut:
 *
 *   bun crashing.ts DIRECTORY STEP sign-up|claim TOKEN
 *
 * It writes `acknowledged` once the answer is out, and ends by itself when there is no such step.
 */
import { writeSync } from "node:fs";
import { newInstallation } from "../support/installation.ts";
import { claimBody, signUpBody } from "./crash-bodies.ts";

const [directory = "", step = "", task = "", token = ""] = process.argv.slice(2);

let steps = Number.POSITIVE_INFINITY;
const trace = () => {
  steps -= 1;
  if (steps === 0) process.kill(process.pid, "SIGKILL");
};

const installation = await newInstallation({ directory, trace });
steps = Number(step);
const answer =
  task === "sign-up"
    ? await installation.call("POST", "/auth/signup-org", { body: signUpBody })
    : await installation.call("POST", "/auth/org-invites/claim", { body: { ...claimBody, token } });
if (answer.status >= 300) throw new Error(answer.text);
writeSync(1, "acknowledged");
process.exit(0);
