/** Reads the environment once, at the start. A test compares the table in docs/operators.md with the one here. */
import { isAbsolute } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type LogLevel, logLevels } from "./http/request-log.ts";
import type { BackupSettings } from "./module.ts";
import {
  isOidcSecret,
  isOidcVariable,
  type OidcProvider,
  readOidcProviders,
} from "./modules/accounts/oauth/oidc-variables.ts";
import { type SignUpSetting, signUpSettings } from "./modules/accounts/sign-up-setting.ts";
import { isSchedule } from "./scheduler/timetable.ts";
import { readSecretFiles } from "./secret-files.ts";
import type { StoreSettings } from "./storage/server/store-settings.ts";
import { storeProblems, storeSettings, storeUrl, storeWarnings } from "./storage/server/variables.ts";
import type { TlsSettings } from "./tls/settings.ts";
import { tlsProblems, tlsSettings } from "./tls/variables.ts";
import { readTracing, type TracingSettings } from "./tracing/tracing-variables.ts";

/** Features that an operator can disable. Their routes respond with 404, and `/capabilities` omits them. */
export const features = [
  "marketplace",
  "addons",
  "directory",
  "planning",
  "training",
  "evidence",
  "finance",
  "sharing",
  "console",
] as const;
export type Feature = (typeof features)[number];

interface VariableDoc {
  description: string;
  example: string;
  /** Whether it may be in a file, which the variable with `_FILE` names. */
  secret?: boolean;
}

type Text = z.ZodType<unknown, string>;

/** A variable with a default, in the format of the environment. Error messages of schemas never repeat the value. */
const variable = <S extends Text>(schema: S, fallback: z.input<S> & string, doc: VariableDoc) =>
  z.prefault(schema, fallback).meta({ ...doc, default: fallback });

/** A variable without a default. */
const optionalVariable = <S extends Text>(schema: S, doc: VariableDoc) => schema.optional().meta({ ...doc });

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, { error: "is not a port number", abort: true })
  .transform(Number)
  .pipe(z.number().max(65_535, "is above 65535"));

const Environment = z.object({
  WINDSOCK_HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/, "is not a host name or an address"), "127.0.0.1", {
    description: "The address to listen on; `0.0.0.0` for all.",
    example: "0.0.0.0",
  }),
  WINDSOCK_PORT: variable(portNumber, "3000", {
    description: "The port to listen on; 0 for any free one.",
    example: "8080",
  }),
  WINDSOCK_DATA_DIR: variable(z.string(), "./tenants", {
    description: "The directory of the databases.",
    example: "/var/lib/windsock",
  }),
  WINDSOCK_PUBLIC_URL: optionalVariable(
    z
      .url({ protocol: /^https?$/, error: "is not an http or https address", abort: true })
      .refine((text) => new URL(text).href === `${new URL(text).origin}/`, "has more than scheme, host and port")
      .transform((text) => new URL(text).origin),
    {
      description:
        "The public address of this installation, in links and tokens; by default `http://127.0.0.1:` and the port.",
      example: "https://ops.example.com",
    },
  ),
  WINDSOCK_SECRET_KEY: optionalVariable(
    z
      .string()
      .transform((text) => Buffer.from(text))
      .refine((bytes) => bytes.length >= 32, "is shorter than 32 bytes"),
    {
      description:
        "The secret from which all keys are derived; by default `secret.key` in the data directory, created on the first start.",
      example: "the output of: openssl rand -base64 48",
      secret: true,
    },
  ),
  WINDSOCK_TLS: variable(z.enum(["off", "auto"], "is neither off nor auto"), "off", {
    description:
      "`auto` serves HTTPS with a certificate by ACME, which renews itself: on all addresses and port 443, unless you set others.",
    example: "auto",
  }),
  WINDSOCK_TLS_CERT: optionalVariable(z.string(), {
    description:
      "Serves HTTPS with the certificate in this PEM file, with its chain. A changed file is used within seconds.",
    example: "/etc/letsencrypt/live/ops.example.com/fullchain.pem",
  }),
  WINDSOCK_TLS_KEY: optionalVariable(z.string(), {
    description: "The PEM file of that certificate's private key.",
    example: "/etc/letsencrypt/live/ops.example.com/privkey.pem",
  }),
  WINDSOCK_HTTP_PORT: optionalVariable(portNumber, {
    description:
      "The port of plain HTTP that redirects to HTTPS; by default 80 with `WINDSOCK_TLS=auto`, and otherwise none.",
    example: "80",
  }),
  WINDSOCK_ACME_DIRECTORY: variable(
    z.url({ protocol: /^https$/, error: "is not an https address" }),
    "https://acme-v02.api.letsencrypt.org/directory",
    {
      description: "The ACME authority of `WINDSOCK_TLS=auto`, whose terms you agree to.",
      example: "https://acme-staging-v02.api.letsencrypt.org/directory",
    },
  ),
  WINDSOCK_ACME_EMAIL: optionalVariable(z.string().regex(/^\S+@\S+$/, "is not an e-mail address"), {
    description: "The address at which the authority reaches you.",
    example: "ops@example.com",
  }),
  WINDSOCK_ACME_CA: optionalVariable(z.string(), {
    description:
      "A PEM file of certificate authorities to trust for the address of the ACME authority, besides the public ones.",
    example: "/etc/windsock/our-ca.pem",
  }),
  WINDSOCK_STORE: variable(z.enum(["file", "server"], "is neither file nor server"), "file", {
    description: "Where the databases are: `file`, in the data directory; `server`, on a libSQL server.",
    example: "file",
  }),
  WINDSOCK_STORE_URL: optionalVariable(storeUrl({ hasNamespace: true }), {
    description: "The address of a database on the libSQL server, with `{namespace}` for its name.",
    example: "http://{namespace}.localhost:8080",
  }),
  WINDSOCK_STORE_ADMIN_URL: optionalVariable(storeUrl(), {
    description: "The address of the libSQL server's administration (`--admin-listen-addr`).",
    example: "http://127.0.0.1:8081",
  }),
  WINDSOCK_STORE_TOKEN_KEY: optionalVariable(z.string(), {
    description:
      "The private key that the libSQL server trusts (`--auth-jwt-key-file`); needed unless it is on this machine.",
    example: "the output of: openssl genpkey -algorithm ed25519",
    secret: true,
  }),
  WINDSOCK_SIGN_UP: variable(z.enum(signUpSettings, `is not one of ${signUpSettings.join(", ")}`), "open", {
    description:
      "Who may sign up: `open`, everybody who reaches the server; `first`, until there is a school; `closed`, nobody. Invites work always, and so does `windsock org create`.",
    example: "first",
  }),
  WINDSOCK_WAIT_FOR_LOCK: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description:
        "`1` waits as a standby while another Windsock uses the data directory, and takes over when that one ends.",
      example: "1",
    },
  ),
  WINDSOCK_ENV: variable(z.enum(["production", "development"], "is neither production nor development"), "production", {
    description: "`development` enables `/internal`.",
    example: "development",
  }),
  WINDSOCK_DEBUG_ENDPOINTS: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description: "`1` enables `/debug`.",
      example: "1",
    },
  ),
  WINDSOCK_METRICS: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description: "`1` enables `/metrics`, for Prometheus.",
      example: "1",
    },
  ),
  WINDSOCK_TRUSTED_PROXIES: variable(
    commaList.pipe(z.array(z.string().refine(ipaddr.isValidCIDR, "is not a list of CIDR ranges"))),
    "",
    {
      description: "Proxies whose `X-Forwarded-For` is trusted, as CIDR ranges separated by commas.",
      example: "10.0.0.0/8,fd00::/8",
    },
  ),
  WINDSOCK_WEBHOOK_ALLOW: variable(
    commaList.pipe(z.array(z.string().refine(ipaddr.isValidCIDR, "is not a list of CIDR ranges"))),
    "",
    {
      description: "Private addresses that webhooks may be sent to, as CIDR ranges separated by commas.",
      example: "192.168.10.0/24",
    },
  ),
  WINDSOCK_WEBHOOK_CA: optionalVariable(z.string(), {
    description: "A PEM file of certificate authorities to trust for webhook receivers, besides the public ones.",
    example: "/etc/windsock/our-ca.pem",
  }),
  WINDSOCK_EVENT_RETENTION_DAYS: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/, { error: "is not a whole number from 1 to 3650", abort: true })
      .transform(Number)
      .pipe(z.number().max(3650, "is above 3650")),
    "30",
    { description: "Days after which events and their delivery log are deleted.", example: "90" },
  ),
  WINDSOCK_API_KEY_RATE: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,5}$/, "is not a whole number from 1 to 999999")
      .transform(Number),
    "600",
    { description: "Requests a minute for each API key.", example: "1200" },
  ),
  WINDSOCK_WRITE_RATE: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,5}$/, "is not a whole number from 1 to 999999")
      .transform(Number),
    "6000",
    {
      description:
        "POST, PATCH and DELETE requests a minute for each account; five times as many for each organization.",
      example: "12000",
    },
  ),
  WINDSOCK_ATTACHMENT_QUOTA_MIB: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,6}$/, "is not a whole number from 1 to 9999999")
      .transform(Number),
    "1024",
    {
      description: "MiB of attachments and evidence packs for each organization, in its database file.",
      example: "4096",
    },
  ),
  WINDSOCK_DISK_WARNING_MIB: variable(
    z
      .string()
      .regex(/^\d{1,7}$/, "is not a whole number from 0 to 9999999")
      .transform(Number),
    "1024",
    {
      description: "MiB of free space on the disk of the data directory below which the log and `/health/ready` warn.",
      example: "10240",
    },
  ),
  WINDSOCK_BACKUP_DIR: optionalVariable(z.string().refine(isAbsolute, "is not an absolute path"), {
    description: "The directory of backups, which are then made by themselves: best on another disk.",
    example: "/var/backups/windsock",
  }),
  WINDSOCK_BACKUP_SCHEDULE: variable(z.string().refine(isSchedule, "is not a cron pattern"), "11 3 * * *", {
    description: "When backups are made: a cron pattern in UTC.",
    example: "0 */6 * * *",
  }),
  WINDSOCK_BACKUP_KEEP: variable(
    z
      .string()
      .regex(/^([1-9]\d{0,3}(,[1-9]\d{0,3}d)?|[1-9]\d{0,3}d)$/, {
        error: "is neither a number of backups nor a number of days with a d, nor both with a comma",
        abort: true,
      })
      .transform((text) => {
        const [, count, age] = /^(?:(\d+)(?:,|$))?(?:(\d+)d)?$/.exec(text) ?? [];
        return {
          count: count === undefined ? undefined : Number(count),
          age: age === undefined ? undefined : Number(age),
        };
      }),
    "7,60d",
    {
      description: "How many of the newest backups are kept, and for how many days each is.",
      example: "30,180d",
    },
  ),
  WINDSOCK_BACKUP_RECIPIENT: optionalVariable(z.string().regex(/^age1[0-9a-z]{50,}$/, "is not a recipient of age"), {
    description: "The recipient of age that backups are encrypted to; `restore --identity` opens them.",
    example: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  }),
  WINDSOCK_BACKUP_DRILL: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description: "`1` restores the newest backup into a scratch directory every night, and checks it.",
      example: "1",
    },
  ),
  WINDSOCK_BACKUP_COMMAND: optionalVariable(z.string().regex(/\S/, "names no program"), {
    description:
      "A program that is run after each backup with its directory as the last argument, to take it to another place; without a shell.",
    example: "/usr/local/bin/off-site",
  }),
  WINDSOCK_SMTP_URL: optionalVariable(
    z.url({ protocol: /^smtps?$/, error: "is not an address that begins with smtp:// or smtps://" }),
    {
      description: "The SMTP server for mail, with user and password; without it no mail is sent.",
      example: "smtps://user:password@mail.example.com:465",
      secret: true,
    },
  ),
  WINDSOCK_MAIL_FROM: variable(z.string().regex(/@/, "has no e-mail address"), "Windsock <no-reply@localhost>", {
    description: "The sender of mail.",
    example: "Example Flying School <ops@example.com>",
  }),
  WINDSOCK_LINK_URL: optionalVariable(
    z
      .url({ protocol: /^https?$/, error: "is not an http or https address", abort: true })
      .refine((text) => !text.includes("#"), "has a fragment, which is reserved for the token"),
    {
      description:
        "The page of links in mails, if your front end has one; by default the console's, `/app/link` at the public address, or `/auth/link` without the console.",
      example: "https://ops.example.com/link",
    },
  ),
  WINDSOCK_OAUTH_REDIRECTS: variable(
    commaList
      .pipe(z.array(z.url({ protocol: /^https?$/, error: "is not a list of http or https addresses" })))
      .refine(
        (pages) => pages.every((page) => !page.includes("#")),
        "has a fragment, which is reserved for a challenge",
      ),
    "",
    {
      description:
        "Pages at the public address to which a sign-in through a provider may redirect, besides those of the console, full addresses separated by commas.",
      example: "https://ops.example.com/signed-in",
    },
  ),
  WINDSOCK_LOG_LEVEL: variable(z.enum(logLevels, `is not one of ${logLevels.join(", ")}`), "info", {
    description: `The log level: ${logLevels.join(", ")}.`,
    example: "warn",
  }),
  WINDSOCK_LOG_SAMPLE: variable(
    z
      .string()
      .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, "is not a number from 0 to 1")
      .transform(Number),
    "1",
    {
      description:
        "The share of requests that the log has: those that fail or take more than a second always, of the others a sample by their traces.",
      example: "0.01",
    },
  ),
  WINDSOCK_TRUST_TRACEPARENT: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description:
        "`1` lets the `traceparent` of trusted proxies decide what is exported and sampled. They must not pass on those of clients.",
      example: "1",
    },
  ),
  WINDSOCK_DISABLE: variable(commaList.pipe(z.array(z.enum(features, `is not a list of ${features.join(", ")}`))), "", {
    description: `Features to disable, separated by commas: ${features.join(", ")}.`,
    example: "marketplace,addons",
  }),
});

/** All variables, for docs/operators.md. */
export const variables: readonly { name: string; default: string | undefined; description: string; example: string }[] =
  Object.entries(Environment.shape).map(([name, schema]) => {
    const { description = "", example, secret, default: fallback } = schema.meta() ?? {};
    return {
      name,
      default: typeof fallback === "string" ? fallback : undefined,
      description: secret === true ? `${description} Or in a file: \`${name}_FILE\`.` : description,
      example: typeof example === "string" ? example : "",
    };
  });

const secrets: ReadonlySet<string> = new Set(
  Object.entries(Environment.shape).flatMap(([name, schema]) => (schema.meta()?.secret === true ? [name] : [])),
);

const isSecret = (name: string): boolean => secrets.has(name) || isOidcSecret(name);

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  publicUrl: string;
  /** Undefined: plain HTTP. */
  tls: TlsSettings | undefined;
  /** Without it, `secret.key` in the data directory is used. */
  secretKey: Buffer | undefined;
  /** The libSQL server with the databases. By default they are files in the data directory. */
  store: StoreSettings | undefined;
  /** Who may make an account or an organization without an invite. */
  signUp: SignUpSetting;
  /** Whether to wait as a standby while another process uses the data directory. */
  waitForLock: boolean;
  env: "production" | "development";
  debugEndpoints: boolean;
  metrics: boolean;
  trustedProxies: readonly string[];
  /** CIDR ranges of private addresses that webhooks may be sent to. */
  webhookAllow: readonly string[];
  /** Path of a PEM file with certificate authorities to trust for webhooks, besides the public ones. */
  webhookCa: string | undefined;
  /** Days after which events and their deliveries are deleted. */
  eventRetentionDays: number;
  /** Requests a minute for each API key. */
  apiKeyRate: number;
  /** Requests that may write, a minute for each account. */
  writeRate: number;
  /** Bytes of attachments, for each organization. */
  attachmentQuota: number;
  /** In bytes. */
  diskWarning: number;
  backup: BackupSettings;
  /** `smtp:` or `smtps:`, with the credentials. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The page of links in mails. Its fragment carries the token. */
  linkUrl: string;
  /** Pages to which a sign-in through a provider may redirect. */
  oauthRedirects: readonly string[];
  /** Identity providers, by their names in the API. */
  oidcProviders: ReadonlyMap<string, OidcProvider>;
  logLevel: LogLevel;
  /** The share of requests that the log has, from 0 to 1. */
  logSample: number;
  /** Whether the `traceparent` of a trusted proxy decides about samples. */
  trustsTraceparent: boolean;
  /** Given if spans are exported. */
  tracing: TracingSettings | undefined;
  disabled: ReadonlySet<Feature>;
  /** What is valid, but should be changed. For the log. */
  warnings: readonly string[];
}

/** The configuration is not valid. The message lists every problem. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** @throws ConfigError with the name, the problem and an example of each bad or unknown variable */
export function loadConfig(env: Record<string, string | undefined>): Config {
  // An empty variable counts as unset: compose files pass unset variables as empty ones.
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text !== ""));
  const { set, warnings, problems: unreadable } = readSecretFiles(given, isSecret);
  const unknown = Object.keys(set).filter(
    (name) => name.startsWith("WINDSOCK_") && !(name in Environment.shape) && !isOidcVariable(name),
  );
  const result = Environment.safeParse(set);
  const oidc = readOidcProviders(set);
  const tracing = readTracing(set);
  const problems = [
    ...unknown.map(unknownVariable),
    ...unreadable,
    ...(result.error
      ? badVariables(result.error)
      : [...foreignRedirects(result.data), ...tlsProblems(result.data), ...storeProblems(result.data)]),
    ...oidc.problems,
    ...tracing.problems,
  ];
  if (!result.success || problems.length > 0)
    throw new ConfigError(["The configuration is not valid:", ...problems.map((problem) => `- ${problem}`)].join("\n"));

  const values = result.data;
  const publicUrl = publicUrlOf(values);
  // The authority and the browsers of a school come from elsewhere, to the usual port.
  const isPublic = values.WINDSOCK_TLS === "auto";
  return {
    host: isPublic && set.WINDSOCK_HOST === undefined ? "0.0.0.0" : values.WINDSOCK_HOST,
    port: isPublic && set.WINDSOCK_PORT === undefined ? 443 : values.WINDSOCK_PORT,
    dataDir: values.WINDSOCK_DATA_DIR,
    publicUrl,
    tls: tlsSettings(values),
    secretKey: values.WINDSOCK_SECRET_KEY,
    store: storeSettings(values),
    signUp: values.WINDSOCK_SIGN_UP,
    waitForLock: values.WINDSOCK_WAIT_FOR_LOCK,
    env: values.WINDSOCK_ENV,
    debugEndpoints: values.WINDSOCK_DEBUG_ENDPOINTS,
    metrics: values.WINDSOCK_METRICS,
    trustedProxies: values.WINDSOCK_TRUSTED_PROXIES,
    webhookAllow: values.WINDSOCK_WEBHOOK_ALLOW,
    webhookCa: values.WINDSOCK_WEBHOOK_CA,
    eventRetentionDays: values.WINDSOCK_EVENT_RETENTION_DAYS,
    apiKeyRate: values.WINDSOCK_API_KEY_RATE,
    writeRate: values.WINDSOCK_WRITE_RATE,
    attachmentQuota: values.WINDSOCK_ATTACHMENT_QUOTA_MIB * 1024 * 1024,
    diskWarning: values.WINDSOCK_DISK_WARNING_MIB * 1024 * 1024,
    backup: {
      place: values.WINDSOCK_BACKUP_DIR,
      schedule: values.WINDSOCK_BACKUP_SCHEDULE,
      keep: values.WINDSOCK_BACKUP_KEEP,
      recipient: values.WINDSOCK_BACKUP_RECIPIENT,
      drill: values.WINDSOCK_BACKUP_DRILL,
      command: values.WINDSOCK_BACKUP_COMMAND,
    },
    smtpUrl: values.WINDSOCK_SMTP_URL,
    mailFrom: values.WINDSOCK_MAIL_FROM,
    linkUrl:
      values.WINDSOCK_LINK_URL ??
      `${publicUrl}${values.WINDSOCK_DISABLE.includes("console") ? "/auth/link" : "/app/link"}`,
    oauthRedirects: values.WINDSOCK_OAUTH_REDIRECTS,
    oidcProviders: oidc.providers,
    logLevel: values.WINDSOCK_LOG_LEVEL,
    logSample: values.WINDSOCK_LOG_SAMPLE,
    trustsTraceparent: values.WINDSOCK_TRUST_TRACEPARENT,
    tracing: tracing.settings,
    disabled: new Set(values.WINDSOCK_DISABLE),
    warnings: [...warnings, ...tracing.warnings, ...storeWarnings(values)],
  };
}

export const publicUrlByDefault = (port: number): string => `http://127.0.0.1:${port}`;

type Variables = z.output<typeof Environment>;

const publicUrlOf = ({ WINDSOCK_PUBLIC_URL: url, WINDSOCK_PORT: port }: Variables): string =>
  url ?? publicUrlByDefault(port);

/** Rejects pages of another origin: browsers do not send the sign-in's cookie to them. */
function foreignRedirects(values: Variables): string[] {
  const publicUrl = publicUrlOf(values);
  if (values.WINDSOCK_OAUTH_REDIRECTS.every((page) => new URL(page).origin === publicUrl)) return [];
  return [
    `WINDSOCK_OAUTH_REDIRECTS has a page of another origin than WINDSOCK_PUBLIC_URL (${publicUrl}), which does not receive the sign-in's cookie. Example: WINDSOCK_OAUTH_REDIRECTS=${publicUrl}/signed-in`,
  ];
}

function badVariables({ issues }: z.ZodError): string[] {
  const messages = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = String(path[0]);
    if (!messages.has(name)) messages.set(name, message);
  }
  return [...messages].map(([name, message]) => {
    const example = variables.find((variable) => variable.name === name)?.example;
    return `${name} ${message}. Example: ${name}=${example}`;
  });
}

function unknownVariable(name: string): string {
  const [nearest] = variables
    .map((variable) => ({ name: variable.name, distance: editDistance(name, variable.name) }))
    .sort((a, b) => a.distance - b.distance);
  const near = nearest && nearest.distance <= 3 ? ` Did you mean ${nearest.name}?` : "";
  return `${name} is not a variable of Windsock.${near}`;
}

/** Returns the Levenshtein distance: the number of letters to add, remove or change. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
