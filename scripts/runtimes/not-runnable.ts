/** Tests that can't be run on a runtime, or not over HTTP, and why. All others are run on each. */

const runtimeNames = ["bun", "deno", "executable", "server"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

export const isRuntimeName = (name: string): name is RuntimeName => runtimeNames.some((one) => one === name);

interface NotRunnable {
  /** By default on all. */
  on?: readonly RuntimeName[];
  file: string;
  /** By default all tests of the file. */
  name?: RegExp;
  why: string;
}

const lies = "a listener reads no more of a body than its declared length, and waits for no less";

const turns = "what the server does in the turn of the event loop in which it responds is not seen by a client";
const ahead = "a server reads ahead of its client, and a client gets other pieces";

const looksAtFiles = "it looks at the files of schools, and on a server there is none";

const begins = "a client is not told when the server begins to read its body";

const notRunnable: readonly NotRunnable[] = [
  { file: "test/http/attachments/uploads.test.ts", name: /has at most 5 uploads at the same time/, why: begins },
  { file: "test/http/accounts/password-forgot.test.ts", name: /responds before it looks for the account/, why: turns },
  {
    file: "test/http/attachments/damage.test.ts",
    name: /is cut before the first byte of the damaged chunk/,
    why: ahead,
  },
  { file: "test/http/http-layer.test.ts", name: /over 64 KiB that declares less is a 413/, why: lies },
  {
    file: "test/http/attachments/uploads.test.ts",
    name: /that is declared as \w+ instead of 100 is refused/,
    why: lies,
  },
  {
    file: "test/http/http-serve.test.ts",
    on: ["deno"],
    name: /gets its response after Bun's limit of silence/,
    why: "Deno closes no connection for its silence",
  },
  {
    file: "test/http/docs/docs-browser.test.ts",
    on: ["deno", "executable"],
    why: "what drives Chromium runs on Bun only; test/runtime/smoke.test.ts opens the console on each runtime",
  },
  ...[
    { file: "test/http/changes/changes.test.ts", name: /a file was restored from an older copy/ },
    { file: "test/http/evidence/packs.test.ts", name: /that a stop interrupted is built at once/ },
    { file: "test/http/operations/scrub.test.ts" },
    { file: "test/http/operations/failed-jobs.test.ts", name: /school's file|scrub/ },
    {
      file: "test/http/operations/installation.test.ts",
      name: /sizes of their files|as `windsock org list`|a file that can't be used|findings are those of/,
    },
    { file: "test/http/operations/metrics.test.ts", name: /largest lag first/ },
    { file: "test/http/finance/erased-customer.test.ts", name: /told from one that is damaged/ },
    { file: "test/http/organizations/sign-up.test.ts", name: /database file|one file|leaves nothing behind/ },
    {
      file: "test/http/organizations/removal.test.ts",
      name: /after the grace|nothing is changed|no good copy|last backup|without a backup/,
    },
  ].map((one) => ({ ...one, on: ["server"] as const, why: looksAtFiles })),
];

/** @returns why a test can't be run, or undefined if it can. Without a name: why no test of the file can */
export const whyNot = (runtime: RuntimeName, file: string, name?: string): string | undefined =>
  notRunnable.find(
    (one) =>
      one.file === file &&
      (one.on ?? runtimeNames).includes(runtime) &&
      (one.name === undefined || (name !== undefined && one.name.test(name))),
  )?.why;
