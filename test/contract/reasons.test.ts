/** Each `error.reason` is declared by an operation and has a request that gets it. Undeclared reasons are never sent. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../src/core/errors.ts";
import { type Reason, reasonNames, reasons } from "../../src/core/reasons.ts";
import { errorResponse, statusOf } from "../../src/http/error-envelope.ts";
import { type ApiDocument, operationsOf, reasonsOf, sharedDocumentOf } from "../support/document.ts";
import { documentCheck } from "../support/document-check.ts";
import type { Installation } from "../support/installation.ts";
import { newInstallationWithProvider } from "../support/oidc.ts";
import { newSchool } from "../support/school.ts";
import type { Provocation } from "./provoke.ts";
import { reasonProvocations } from "./reason-provocations.ts";

/** Reasons of the operator's commands, which are not in the document. */
const ofCommands: readonly Reason[] = ["email_unverified", "job_running"];

let installation: Installation;
let document: ApiDocument;
beforeAll(async () => {
  installation = await newInstallationWithProvider({ shared: true });
  document = sharedDocumentOf(installation.app);
});
afterAll(() => installation.close());

describe("the document", () => {
  test("has each reason in at least one operation, except those of the operator's commands", () => {
    const declared = operationsOf(document).flatMap(([, operation]) =>
      Object.keys(operation.responses).flatMap((status) => reasonsOf(operation, Number(status))),
    );
    const missing = reasonNames.filter((reason) => !declared.includes(reason));
    expect(missing.sort()).toEqual([...ofCommands]);
  });

  test("has, in the example of an error, a reason of the operation with its code", () => {
    for (const [name, operation] of operationsOf(document))
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const declared = reasonsOf(operation, Number(status));
        // Most 503 have no reason, nor has their example.
        if (declared.length === 0 || status === "503") continue;
        const [first] = declared;
        const shown = content?.["application/json"]?.example;
        expect([name, shown]).toEqual([
          name,
          {
            error: expect.objectContaining({ reason: first, code: first && reasons[first].code }),
            ...(first === "booking_conflicts" && { conflicts: [expect.objectContaining({ rule: "overlap" })] }),
          },
        ]);
      }
  });

  test("allows no undeclared reasons", async () => {
    const check = documentCheck(document);
    const answered = (problem: Problem) => {
      const response = errorResponse(problem, "01890a5d-ac96-774b-bcce-b302099a8057");
      response.headers.set("x-request-id", "01890a5d-ac96-774b-bcce-b302099a8057");
      response.headers.set("ratelimit-policy", '"writes";q=1200;w=60');
      response.headers.set("ratelimit", '"writes";r=1199;t=1');
      return check("POST", "/orgs/01890a5d-ac96-774b-bcce-b302099a8057/aircraft", response);
    };
    await answered(new Problem("CONFLICT", "Taken.", { reason: "registration_taken" }));
    await expect(answered(new Problem("CONFLICT", "Over.", { reason: "last_owner" }))).rejects.toThrow(
      "allowed values",
    );
    await expect(answered(new Problem("CONFLICT", "Why?"))).rejects.toThrow("reason");
    await expect(answered(new Problem("NOT_FOUND", "Where?", { reason: "last_owner" }))).rejects.toThrow("reason");
  });
});

/** Reasons whose fields depend on the case. */
const mayHaveNone: readonly Reason[] = ["records_kept", "person_erased", "line_credited"];

/** Reasons whose message names a value of the request, or one in another unit. */
const namesOthers: readonly Reason[] = ["customer_number_taken", "quota_exceeded"];

/** The fields of `error` that a reason has besides, as the document says. */
function namesOf(reason: Reason): string[] {
  const { properties = {} } = document.components.schemas.Refusal ?? {};
  const isOf = ({ description = "" }) => description.includes(`\`${reason}\`:`);
  return Object.entries(properties).flatMap(([name, schema]) => (isOf(schema) ? [name] : []));
}

describe("a request", () => {
  const live: [Reason, Provocation][] = [];
  const elsewhere: [Reason, string][] = [];
  for (const reason of reasonNames) {
    const given = reasonProvocations[reason];
    if (typeof given === "function") live.push([reason, given]);
    else elsewhere.push([reason, given.file]);
  }

  let addresses = 0;
  test.each(live)("is refused with %s", async (reason, provoke) => {
    addresses += 1;
    const school = await newSchool(installation);
    const { body, status } = await provoke({ school, from: `198.51.100.${addresses}` });
    const { code } = reasons[reason];
    expect(body.error).toMatchObject({ code, reason });
    expect(status).toBe(statusOf[code]);
    const { code: _code, reason: _reason, message, request_id: _id, ...fields } = body.error;
    const named = namesOf(reason);
    expect(Object.keys(fields).filter((name) => !named.includes(name))).toEqual([]);
    if (named.length > 0 && !mayHaveNone.includes(reason)) expect(fields).not.toEqual({});
    // What a message names, and neither the law nor the request does, is in the fields.
    const shown = JSON.stringify([fields, body.conflicts]);
    const numbers: string[] = message.replaceAll(/§ \d+/g, "").match(/\d+/g) ?? [];
    if (!namesOthers.includes(reason)) expect(numbers.filter((number) => !shown.includes(number))).toEqual([]);
  });

  test.each(elsewhere)("is refused with %s in %s", async (reason, file) => {
    expect(await readFile(join(import.meta.dir, "../..", file), "utf8")).toContain(`reason: "${reason}"`);
  });
});

test("the log line of a refused request has the reason beside the code", async () => {
  const { owner } = await newSchool(installation);
  const answer = await owner.delete(`/members/${owner.userId}`);
  await new Promise((resolve) => setImmediate(resolve)); // log lines are written after the responses
  const lines = installation.logged.map((line): Record<string, unknown> => JSON.parse(line));
  const line = lines.find(({ request_id }) => request_id === answer.body.error.request_id);
  expect(line).toMatchObject({ error_code: "CONFLICT", error_reason: "last_owner" });
});
