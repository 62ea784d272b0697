/**
 * Runs one task, and copies the data directory before each step of it into `COPIES/1`, `COPIES/2` …: what is in the files then is
 * what a kill at that step would leave. With `kill=STEP` in place of `COPIES`, the name or the number of
 * a step, it kills itself there.
 *
 *   bun crashing.ts DIRECTORY COPIES sign-up|claim|student-claim TOKEN
 *   bun crashing.ts DIRECTORY COPIES post REQUEST   any request: its method (POST if it has none), path, body, token and headers as JSON
 *   bun crashing.ts DIRECTORY COPIES disable EMAIL  the operator's command
 *   bun crashing.ts DIRECTORY COPIES suspend|resume ORGANIZATION  the operator's commands
 *   bun crashing.ts DIRECTORY COPIES job NAME       a run of a job
 *   bun crashing.ts DIRECTORY COPIES adopt FILE     the operator's command
 *   bun crashing.ts DIRECTORY COPIES rebuild EMAIL  the operator's command, with the address of an owner
 *   bun crashing.ts DIRECTORY COPIES export ORGANIZATION  the operator's command, into `school.age` in the directory
 *
 * It ends without closing its files, after the response. It prints the number of steps.
 */
import { cpSync, writeSync } from "node:fs";
import { join } from "node:path";
import { disableAccount } from "../../src/modules/accounts/operator/disable-account.ts";
import { orgExport } from "../../src/modules/operations/move-commands.ts";
import { adopted, depsOf, passphrase, rebuilt } from "../http/moving/moves.ts";
import { type Answer, newInstallation } from "../support/installation.ts";
import { resume, suspend } from "../support/suspending.ts";
import { claimBody, claimPath, signUpBody } from "./crash-bodies.ts";

const [directory = "", copies = "", task = "", token = ""] = process.argv.slice(2);

let [steps, isAtWork] = [0, false];
const [, killedAt] = /^kill=(.+)$/.exec(copies) ?? [];
const trace = (name: string) => {
  if (!isAtWork) return;
  steps += 1;
  if (killedAt === name || killedAt === String(steps)) process.kill(process.pid, "SIGKILL");
  if (killedAt === undefined) cpSync(directory, join(copies, String(steps)), { recursive: true });
};

const collectGarbage = () => Bun.gc(true);
const installation = await newInstallation({ directory, trace, checked: false, collectGarbage });
isAtWork = true;
const ask = (): Promise<Answer> => {
  if (task === "sign-up") return installation.call("POST", "/auth/signup-org", { body: signUpBody });
  if (task !== "post") return installation.call("POST", claimPath(task), { body: { ...claimBody, token } });
  const { path, method = "POST", ...call } = JSON.parse(token);
  return installation.call(method, path, call);
};
if (task === "adopt") await adopted(installation, token);
else if (task === "rebuild") {
  const { adopted: schools } = await rebuilt(installation, { owner: token });
  if (schools.length !== 1) throw new Error("It is not adopted.");
} else if (task === "export") {
  await orgExport.handle(depsOf(installation), { org: token, to: join(directory, "school.age"), passphrase });
} else if (task === "disable") {
  const { clock, storage } = installation;
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  await disableAccount(operator, { email: token });
} else if (task === "suspend" || task === "resume") {
  await (task === "suspend" ? suspend : resume)({ installation, orgId: token });
} else if (task === "job") {
  const { outcome, summary } = await installation.scheduler.runNow(token);
  if (outcome !== "succeeded") throw new Error(summary);
} else {
  const answer = await ask();
  if (answer.status >= 300) throw new Error(answer.text);
}
writeSync(1, String(steps));
process.exit(0);
