/** The environment, read once at the start and never again. One table says what there is; the README's is tested against it. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type LogLevel, logLevels } from "./http/request-log.ts";
import { isOidcVariable, type OidcProvider, readOidcProviders } from "./modules/accounts/oauth/oidc-variables.ts";

/** What an operator can switch off: its routes answer 404 and `/capabilities` says so. */
export const features = [
  "marketplace",
  "addons",
  "directory",
  "planning",
  "training",
  "evidence",
  "finance",
  "sharing",
] as const;
export type Feature = (typeof features)[number];

interface About {
  description: string;
  example: string;
}

type Text = z.ZodType<unknown, string>;

/** A variable with a default, written as an operator would write it. What a schema says of a bad value never repeats it. */
const variable = <S extends Text>(schema: S, fallback: z.input<S> & string, about: About) =>
  z.prefault(schema, fallback).meta({ ...about, default: fallback });

/** A variable without one. */
const optionalVariable = <S extends Text>(schema: S, about: About) => schema.optional().meta({ ...about });

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const Environment = z.object({
  WINDSOCK_HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/, "is not a host name or an address"), "127.0.0.1", {
    description: "The address to listen on; `0.0.0.0` for all.",
    example: "0.0.0.0",
  }),
  WINDSOCK_PORT: variable(
    z
      .string()
      .regex(/^\d{1,5}$/, { error: "is not a port number", abort: true })
      .transform(Number)
      .pipe(z.number().max(65_535, "is above 65535")),
    "3000",
    { description: "The port to listen on; 0 for any free one.", example: "8080" },
  ),
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
        "The address that people and tokens know this installation by; by default `http://localhost:` and the port.",
      example: "https://ops.example.com",
    },
  ),
  WINDSOCK_SECRET_KEY: optionalVariable(
    z
      .string()
      .transform((text) => Buffer.from(text))
      .refine((bytes) => bytes.length >= 32, "is shorter than 32 bytes"),
    {
      description: "What all keys are derived from; by default `secret.key` in the data directory, made on first run.",
      example: "the output of: openssl rand -base64 48",
    },
  ),
  WINDSOCK_STORE: variable(z.literal("file", "is not a kind of store"), "file", {
    description: "Where tenants live: `file`, one database file each.",
    example: "file",
  }),
  WINDSOCK_ENV: variable(z.enum(["production", "development"], "is neither production nor development"), "production", {
    description: "`development` opens `/internal`.",
    example: "development",
  }),
  WINDSOCK_DEBUG_ENDPOINTS: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description: "`1` opens `/debug`.",
      example: "1",
    },
  ),
  WINDSOCK_METRICS: variable(
    z.enum(["0", "1"], "is neither 0 nor 1").transform((text) => text === "1"),
    "0",
    {
      description: "`1` opens `/metrics`, for Prometheus.",
      example: "1",
    },
  ),
  WINDSOCK_TRUSTED_PROXIES: variable(
    commaList.pipe(z.array(z.string().refine(ipaddr.isValidCIDR, "is not a list of CIDR ranges"))),
    "",
    {
      description: "Proxies whose `X-Forwarded-For` is believed, as CIDR ranges separated by commas.",
      example: "10.0.0.0/8,fd00::/8",
    },
  ),
  WINDSOCK_WEBHOOK_ALLOW: variable(
    commaList.pipe(z.array(z.string().refine(ipaddr.isValidCIDR, "is not a list of CIDR ranges"))),
    "",
    {
      description:
        "Addresses that webhooks may be sent to although they are not public, as CIDR ranges separated by commas.",
      example: "192.168.10.0/24",
    },
  ),
  WINDSOCK_WEBHOOK_CA: optionalVariable(z.string(), {
    description: "A PEM file of certificate authorities that webhook receivers may have besides the public ones.",
    example: "/etc/windsock/our-ca.pem",
  }),
  WINDSOCK_EVENT_RETENTION_DAYS: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/, { error: "is not a whole number from 1 to 3650", abort: true })
      .transform(Number)
      .pipe(z.number().max(3650, "is above 3650")),
    "30",
    { description: "For how many days events and the log of their deliveries are kept.", example: "90" },
  ),
  WINDSOCK_API_KEY_RATE: variable(
    z
      .string()
      .regex(/^[1-9]\d{0,5}$/, "is not a whole number from 1 to 999999")
      .transform(Number),
    "600",
    { description: "Requests a minute for each API key.", example: "1200" },
  ),
  WINDSOCK_SMTP_URL: optionalVariable(
    z.url({ protocol: /^smtps?$/, error: "is not an address that begins with smtp:// or smtps://" }),
    {
      description: "The server that mail is sent through, with user and password; without it no mail is sent.",
      example: "smtps://user:password@mail.example.com:465",
    },
  ),
  WINDSOCK_MAIL_FROM: variable(z.string().regex(/@/, "holds no e-mail address"), "Windsock <no-reply@localhost>", {
    description: "Who mail is from.",
    example: "Example Flying School <ops@example.com>",
  }),
  WINDSOCK_LINK_URL: optionalVariable(
    z
      .url({ protocol: /^https?$/, error: "is not an http or https address", abort: true })
      .refine((text) => !text.includes("#"), "has a fragment, which is where the token goes"),
    {
      description:
        "The page that links in mails lead to, when your front end has one of its own; by default Windsock's, `/auth/link` at the public address.",
      example: "https://ops.example.com/link",
    },
  ),
  WINDSOCK_OAUTH_REDIRECTS: variable(
    commaList
      .pipe(z.array(z.url({ protocol: /^https?$/, error: "is not a list of http or https addresses" })))
      .refine((pages) => pages.every((page) => !page.includes("#")), "has a fragment, which is where a challenge goes"),
    "",
    {
      description:
        "Pages of the public address that a sign-in through a provider may lead back to, whole addresses separated by commas.",
      example: "https://ops.example.com/signed-in",
    },
  ),
  WINDSOCK_LOG_LEVEL: variable(z.enum(logLevels, `is none of ${logLevels.join(", ")}`), "info", {
    description: `How much to log: ${logLevels.join(", ")}.`,
    example: "warn",
  }),
  WINDSOCK_DISABLE: variable(
    commaList.pipe(z.array(z.enum(features, `names something else than ${features.join(", ")}`))),
    "",
    {
      description: `Features to switch off, separated by commas: ${features.join(", ")}.`,
      example: "marketplace,addons",
    },
  ),
});

/** The table: every variable there is, for the README and for whoever asks for help. */
export const variables: readonly { name: string; default: string | undefined; description: string; example: string }[] =
  Object.entries(Environment.shape).map(([name, schema]) => {
    const { description = "", example, default: fallback } = schema.meta() ?? {};
    return {
      name,
      default: typeof fallback === "string" ? fallback : undefined,
      description,
      example: typeof example === "string" ? example : "",
    };
  });

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  publicUrl: string;
  /** Unset: made on first run and kept in the data directory. */
  secretKey: Buffer | undefined;
  store: "file";
  env: "production" | "development";
  debugEndpoints: boolean;
  metrics: boolean;
  trustedProxies: readonly string[];
  /** CIDR ranges that webhooks may be sent to although they are not public. */
  webhookAllow: readonly string[];
  /** Path of a PEM file: authorities trusted for webhooks besides the public ones. */
  webhookCa: string | undefined;
  /** For how many days events and their deliveries are kept. */
  eventRetentionDays: number;
  /** Requests a minute for each API key. */
  apiKeyRate: number;
  /** `smtp:` or `smtps:`, with the credentials. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The page that links in mails lead to; the token goes into its fragment. */
  linkUrl: string;
  /** Where a sign-in through a provider may lead back to. */
  oauthRedirects: readonly string[];
  /** Where somebody can sign in through, by the name the API calls it. */
  oidcProviders: ReadonlyMap<string, OidcProvider>;
  logLevel: LogLevel;
  disabled: ReadonlySet<Feature>;
}

/** A start that must not happen, with every reason in the message. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** @throws ConfigError naming each bad or unknown variable, its problem and an example */
export function loadConfig(env: Record<string, string | undefined>): Config {
  // Set but empty means unset, as in a compose file that passes a variable through.
  const set = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text !== ""));
  const unknown = Object.keys(set).filter(
    (name) => name.startsWith("WINDSOCK_") && !(name in Environment.shape) && !isOidcVariable(name),
  );
  const result = Environment.safeParse(set);
  const oidc = readOidcProviders(set);
  const problems = [
    ...unknown.map(unknownVariable),
    ...(result.error ? badVariables(result.error) : foreignRedirects(result.data)),
    ...oidc.problems,
  ];
  if (!result.success || problems.length > 0)
    throw new ConfigError(["The configuration is not valid:", ...problems.map((problem) => `- ${problem}`)].join("\n"));

  const read = result.data;
  const publicUrl = publicUrlOf(read);
  return {
    host: read.WINDSOCK_HOST,
    port: read.WINDSOCK_PORT,
    dataDir: read.WINDSOCK_DATA_DIR,
    publicUrl,
    secretKey: read.WINDSOCK_SECRET_KEY,
    store: read.WINDSOCK_STORE,
    env: read.WINDSOCK_ENV,
    debugEndpoints: read.WINDSOCK_DEBUG_ENDPOINTS,
    metrics: read.WINDSOCK_METRICS,
    trustedProxies: read.WINDSOCK_TRUSTED_PROXIES,
    webhookAllow: read.WINDSOCK_WEBHOOK_ALLOW,
    webhookCa: read.WINDSOCK_WEBHOOK_CA,
    eventRetentionDays: read.WINDSOCK_EVENT_RETENTION_DAYS,
    apiKeyRate: read.WINDSOCK_API_KEY_RATE,
    smtpUrl: read.WINDSOCK_SMTP_URL,
    mailFrom: read.WINDSOCK_MAIL_FROM,
    linkUrl: read.WINDSOCK_LINK_URL ?? `${publicUrl}/auth/link`,
    oauthRedirects: read.WINDSOCK_OAUTH_REDIRECTS,
    oidcProviders: oidc.providers,
    logLevel: read.WINDSOCK_LOG_LEVEL,
    disabled: new Set(read.WINDSOCK_DISABLE),
  };
}

export const publicUrlByDefault = (port: number): string => `http://localhost:${port}`;

type Read = z.output<typeof Environment>;

const publicUrlOf = ({ WINDSOCK_PUBLIC_URL: url, WINDSOCK_PORT: port }: Read): string =>
  url ?? publicUrlByDefault(port);

/** A page elsewhere could do nothing with the cookie that it is led back to with. */
function foreignRedirects(read: Read): string[] {
  const publicUrl = publicUrlOf(read);
  if (read.WINDSOCK_OAUTH_REDIRECTS.every((page) => new URL(page).origin === publicUrl)) return [];
  return [
    `WINDSOCK_OAUTH_REDIRECTS has a page of another origin than WINDSOCK_PUBLIC_URL (${publicUrl}), where the cookie of a sign-in does not count. Example: WINDSOCK_OAUTH_REDIRECTS=${publicUrl}/signed-in`,
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
  return `${name} is no variable of Windsock's.${near}`;
}

/** How many letters must be added, dropped or changed to make one of the other (Levenshtein). */
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
