import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, variables } from "../../src/config.ts";

function refusal(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("The configuration was taken.");
}

describe("loadConfig", () => {
  test("has a default for every variable, and reads only Windsock's variables", () => {
    expect(loadConfig({ PATH: "/bin", PORT: "99" })).toEqual({
      host: "127.0.0.1",
      port: 3000,
      dataDir: "./tenants",
      publicUrl: "http://127.0.0.1:3000",
      tls: undefined,
      secretKey: undefined,
      store: undefined,
      signUp: "open",
      waitForLock: false,
      env: "production",
      debugEndpoints: false,
      metrics: false,
      trustedProxies: [],
      webhookAllow: [],
      webhookCa: undefined,
      eventRetentionDays: 30,
      apiKeyRate: 600,
      writeRate: 6000,
      attachmentQuota: 1024 ** 3,
      diskWarning: 1024 * 1024 * 1024,
      backup: {
        place: undefined,
        schedule: "11 3 * * *",
        keep: { count: 7, age: 60 },
        recipient: undefined,
        drill: false,
        command: undefined,
      },
      smtpUrl: undefined,
      mailFrom: "Windsock <no-reply@localhost>",
      linkUrl: "http://127.0.0.1:3000/app/link",
      oauthRedirects: [],
      oidcProviders: new Map(),
      logLevel: "info",
      logSample: 1,
      trustsTraceparent: false,
      tracing: undefined,
      disabled: new Set(),
      warnings: [],
    });
  });

  test("reads every variable", () => {
    const secret = "s".repeat(32);
    const config = loadConfig({
      WINDSOCK_HOST: "0.0.0.0",
      WINDSOCK_PORT: "8080",
      WINDSOCK_DATA_DIR: "/var/lib/windsock",
      WINDSOCK_PUBLIC_URL: "https://ops.example.com/",
      WINDSOCK_TLS_CERT: "/etc/tls/chain.pem",
      WINDSOCK_TLS_KEY: "/etc/tls/key.pem",
      WINDSOCK_HTTP_PORT: "8081",
      WINDSOCK_SECRET_KEY: secret,
      WINDSOCK_STORE: "file",
      WINDSOCK_SIGN_UP: "first",
      WINDSOCK_WAIT_FOR_LOCK: "1",
      WINDSOCK_ENV: "development",
      WINDSOCK_DEBUG_ENDPOINTS: "1",
      WINDSOCK_METRICS: "1",
      WINDSOCK_TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8",
      WINDSOCK_WEBHOOK_ALLOW: "192.168.10.0/24",
      WINDSOCK_WEBHOOK_CA: "/etc/ca.pem",
      WINDSOCK_API_KEY_RATE: "1200",
      WINDSOCK_WRITE_RATE: "12000",
      WINDSOCK_ATTACHMENT_QUOTA_MIB: "4096",
      WINDSOCK_BACKUP_DIR: "/var/backups/windsock",
      WINDSOCK_BACKUP_SCHEDULE: "0 */6 * * *",
      WINDSOCK_BACKUP_KEEP: "30,180d",
      WINDSOCK_BACKUP_RECIPIENT: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
      WINDSOCK_BACKUP_DRILL: "1",
      WINDSOCK_BACKUP_COMMAND: "off-site --fast",
      WINDSOCK_SMTP_URL: "smtps://user:password@mail.example.com:465",
      WINDSOCK_MAIL_FROM: "School <ops@example.com>",
      WINDSOCK_LINK_URL: "https://console.example.com/link",
      WINDSOCK_OAUTH_REDIRECTS: "https://ops.example.com/in,https://ops.example.com/app/signed-in",
      WINDSOCK_OIDC_CLUB365_ISSUER: "https://login.example.com/club/v2.0",
      WINDSOCK_OIDC_CLUB365_CLIENT_ID: "windsock",
      WINDSOCK_OIDC_CLUB365_CLIENT_SECRET: "s3cr3t",
      WINDSOCK_EVENT_RETENTION_DAYS: "90",
      WINDSOCK_LOG_LEVEL: "warn",
      WINDSOCK_LOG_SAMPLE: "0.01",
      WINDSOCK_TRUST_TRACEPARENT: "1",
      WINDSOCK_DISABLE: "marketplace,addons",
    });
    expect(config).toEqual({
      host: "0.0.0.0",
      port: 8080,
      dataDir: "/var/lib/windsock",
      publicUrl: "https://ops.example.com",
      tls: { kind: "files", cert: "/etc/tls/chain.pem", key: "/etc/tls/key.pem", httpPort: 8081 },
      secretKey: Buffer.from(secret),
      store: undefined,
      signUp: "first",
      waitForLock: true,
      env: "development",
      debugEndpoints: true,
      metrics: true,
      trustedProxies: ["10.0.0.0/8", "fd00::/8"],
      webhookAllow: ["192.168.10.0/24"],
      webhookCa: "/etc/ca.pem",
      eventRetentionDays: 90,
      apiKeyRate: 1200,
      writeRate: 12000,
      attachmentQuota: 4096 * 1024 ** 2,
      diskWarning: 1024 * 1024 * 1024,
      backup: {
        place: "/var/backups/windsock",
        schedule: "0 */6 * * *",
        keep: { count: 30, age: 180 },
        recipient: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
        drill: true,
        command: "off-site --fast",
      },
      smtpUrl: "smtps://user:password@mail.example.com:465",
      mailFrom: "School <ops@example.com>",
      linkUrl: "https://console.example.com/link",
      oauthRedirects: ["https://ops.example.com/in", "https://ops.example.com/app/signed-in"],
      oidcProviders: new Map([
        ["club365", { issuer: "https://login.example.com/club/v2.0", clientId: "windsock", clientSecret: "s3cr3t" }],
      ]),
      logLevel: "warn",
      logSample: 0.01,
      trustsTraceparent: true,
      tracing: undefined,
      disabled: new Set(["marketplace", "addons"]),
      warnings: [],
    });
  });

  test("derives the public address from the port, when only the port is set", () => {
    expect(loadConfig({ WINDSOCK_PORT: "8080" }).publicUrl).toBe("http://127.0.0.1:8080");
  });

  test.each([
    ["of another host", { WINDSOCK_PUBLIC_URL: "https://ops.example.com" }, "https://console.example.com/in"],
    ["of another scheme", { WINDSOCK_PUBLIC_URL: "https://ops.example.com" }, "http://ops.example.com/in"],
    ["of another port", { WINDSOCK_PORT: "8080" }, "http://127.0.0.1:3000/in"],
  ])("rejects a redirect page %s, which would not receive the cookie", (_, env, page) => {
    const message = refusal({ ...env, WINDSOCK_OAUTH_REDIRECTS: page });
    expect(message).toContain("- WINDSOCK_OAUTH_REDIRECTS has a page of another origin than WINDSOCK_PUBLIC_URL");
    expect(message.split("\n")).toHaveLength(2);
  });

  test("treats an empty variable as unset", () => {
    expect(loadConfig({ WINDSOCK_PORT: "", WINDSOCK_SECRET_KEY: "" })).toEqual(loadConfig({}));
  });

  test.each([
    ["WINDSOCK_HOST", "not a host"],
    ["WINDSOCK_PORT", "65536"],
    ["WINDSOCK_BACKUP_DIR", "backups"],
    ["WINDSOCK_BACKUP_SCHEDULE", "at night"],
    ["WINDSOCK_BACKUP_KEEP", "0"],
    ["WINDSOCK_BACKUP_KEEP", "60d,7"],
    ["WINDSOCK_EVENT_RETENTION_DAYS", "0"],
    ["WINDSOCK_EVENT_RETENTION_DAYS", "3651"],
    ["WINDSOCK_EVENT_RETENTION_DAYS", "7.5"],
    ["WINDSOCK_PORT", "80a"],
    ["WINDSOCK_SMTP_URL", "mail.example.com"],
    ["WINDSOCK_MAIL_FROM", "The School"],
    ["WINDSOCK_LINK_URL", "https://console.example.com/#link"],
    ["WINDSOCK_OAUTH_REDIRECTS", "https://console.example.com/,in"],
    ["WINDSOCK_OAUTH_REDIRECTS", "https://console.example.com/#in"],
    ["WINDSOCK_PUBLIC_URL", "ops.example.com"],
    ["WINDSOCK_PUBLIC_URL", "ftp://ops.example.com"],
    ["WINDSOCK_PUBLIC_URL", "https://ops.example.com/app"],
    ["WINDSOCK_PUBLIC_URL", "https://ada:pw@ops.example.com"],
    ["WINDSOCK_SECRET_KEY", "only-31-bytes-long-0123456789ab"],
    ["WINDSOCK_STORE", "postgres"],
    ["WINDSOCK_SIGN_UP", "no"],
    ["WINDSOCK_WAIT_FOR_LOCK", "yes"],
    ["WINDSOCK_ENV", "test"],
    ["WINDSOCK_DEBUG_ENDPOINTS", "yes"],
    ["WINDSOCK_METRICS", "yes"],
    ["WINDSOCK_TRUSTED_PROXIES", "10.0.0.0/8,proxy.example.com"],
    ["WINDSOCK_API_KEY_RATE", "0"],
    ["WINDSOCK_WRITE_RATE", "0"],
    ["WINDSOCK_ATTACHMENT_QUOTA_MIB", "0"],
    ["WINDSOCK_ATTACHMENT_QUOTA_MIB", "1GiB"],
    ["WINDSOCK_LOG_LEVEL", "chatty"],
    ["WINDSOCK_LOG_SAMPLE", "1.5"],
    ["WINDSOCK_LOG_SAMPLE", "10%"],
    ["WINDSOCK_TRUST_TRACEPARENT", "yes"],
    ["WINDSOCK_DISABLE", "flights"],
  ])("rejects %s=%s with its name and an example, without the value", (name, value) => {
    const message = refusal({ [name]: value });
    const example = variables.find((variable) => variable.name === name)?.example;
    expect(message).toContain(`- ${name} `);
    expect(message).toContain(`Example: ${name}=${example}`);
    if (name === "WINDSOCK_SECRET_KEY") expect(message).not.toContain(value);
  });

  const google = {
    WINDSOCK_OIDC_GOOGLE_ISSUER: "https://accounts.google.com",
    WINDSOCK_OIDC_GOOGLE_CLIENT_ID: "windsock",
    WINDSOCK_OIDC_GOOGLE_CLIENT_SECRET: "s3cr3t",
  };

  test.each(Object.keys(google))("rejects a provider without %s, with its name", (missing) => {
    const message = refusal({ ...google, [missing]: "" });
    expect(message).toContain(`- ${missing} is missing`);
    expect(message.split("\n")).toHaveLength(2);
    expect(message).not.toContain("s3cr3t");
  });

  test.each([
    "accounts.google.com",
    "ftp://accounts.google.com",
    "http://accounts.google.com",
    "http://localhost.example.com",
    "https://ada:pw@accounts.google.com",
    "https://accounts.google.com/?tenant=1",
    "https://accounts.google.com/#",
  ])("rejects the issuer %s", (issuer) => {
    const message = refusal({ ...google, WINDSOCK_OIDC_GOOGLE_ISSUER: issuer });
    expect(message).toContain("- WINDSOCK_OIDC_GOOGLE_ISSUER ");
    expect(message).toContain("Example: WINDSOCK_OIDC_GOOGLE_ISSUER=https://");
    expect(message).not.toContain(issuer);
  });

  test.each(["http://localhost:4000", "http://127.0.0.1:4000/realm", "http://[::1]:4000"])(
    "accepts the issuer %s: http is allowed for a provider on the same machine",
    (issuer) => {
      const { oidcProviders } = loadConfig({ ...google, WINDSOCK_OIDC_GOOGLE_ISSUER: issuer });
      expect(oidcProviders.get("google")?.issuer).toBe(issuer);
    },
  );

  test.each([
    "WINDSOCK_OIDC_GOOGLE_FOO",
    "WINDSOCK_OIDC_ISSUER",
    "WINDSOCK_OIDC_google_ISSUER",
    "WINDSOCK_OIDC_1_ISSUER",
  ])("rejects %s as an unknown variable", (name) => {
    expect(refusal({ ...google, [name]: "https://accounts.google.com" })).toContain(
      `- ${name} is not a variable of Windsock.`,
    );
  });

  describe("with secrets in files", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "windsock-secrets-"));
    });
    afterEach(() => rm(folder, { recursive: true }));
    const fileWith = async (text: string, mode = 0o600) => {
      const path = join(folder, "secret");
      await writeFile(path, text);
      await chmod(path, mode);
      return path;
    };
    const secret = "smtps://user:password@mail.example.com";

    test.each(["\n", "\r\n", ""])("reads each once, without the newline %j at its end", async (end) => {
      const path = await fileWith(`${secret}${end}`);
      const { smtpUrl, warnings } = loadConfig({ WINDSOCK_SMTP_URL_FILE: path });
      expect([smtpUrl, warnings]).toEqual([secret, []]);
      const { oidcProviders } = loadConfig({
        ...google,
        WINDSOCK_OIDC_GOOGLE_CLIENT_SECRET: "",
        WINDSOCK_OIDC_GOOGLE_CLIENT_SECRET_FILE: path,
      });
      expect(oidcProviders.get("google")?.clientSecret).toBe(secret);
      expect(loadConfig({ WINDSOCK_SECRET_KEY_FILE: path }).secretKey).toEqual(Buffer.from(secret));
    });

    test("changes nothing else of a secret, and an empty variable beside the file is none, in either order", async () => {
      const text = " two lines\r\n with spaces \n";
      const path = await fileWith(`${text}\n`);
      const variable = "WINDSOCK_OIDC_GOOGLE_CLIENT_SECRET";
      const { [variable]: _, ...others } = google;
      for (const set of [
        { [variable]: "", [`${variable}_FILE`]: path },
        { [`${variable}_FILE`]: path, [variable]: "" },
      ])
        expect(loadConfig({ ...others, ...set }).oidcProviders.get("google")?.clientSecret).toBe(text);
    });

    test("does not warn of a file that only a group can read, as container managers make them", async () => {
      expect(loadConfig({ WINDSOCK_SMTP_URL_FILE: await fileWith(secret, 0o640) }).warnings).toEqual([]);
    });

    test("reads a file for every secret that docs/operators.md names", () => {
      const named = variables.flatMap(({ description }) => /`(WINDSOCK_\w+_FILE)`/.exec(description)?.[1] ?? []);
      expect(named).toEqual(["WINDSOCK_SECRET_KEY_FILE", "WINDSOCK_STORE_TOKEN_KEY_FILE", "WINDSOCK_SMTP_URL_FILE"]);
      for (const name of named) expect(refusal({ [name]: "/missing" })).toContain(`- ${name}: There is no /missing.`);
    });

    test("warns of a file that all accounts can read, without its content", async () => {
      const path = await fileWith(secret, 0o644);
      const { warnings } = loadConfig({ WINDSOCK_SMTP_URL_FILE: path });
      expect(warnings).toEqual([
        `WINDSOCK_SMTP_URL_FILE: every account of this machine can read ${path}. Set its mode: chmod 600`,
      ]);
    });

    test("rejects a file that is missing, empty or given beside the variable, and one of what is no secret", async () => {
      const path = await fileWith("\n");
      const of = (env: Record<string, string>) => refusal(env).split("\n").slice(1);
      const name = "WINDSOCK_SMTP_URL_FILE";
      expect(of({ [name]: folder })).toEqual([
        `- ${name}: ${folder} is a directory, and a file is needed. Name a file.`,
      ]);
      expect(of({ [name]: `${path}2` })).toEqual([`- ${name}: There is no ${path}2. Check the path.`]);
      expect(of({ [name]: path })).toEqual([`- ${name}: ${path} is empty.`]);
      const both = [`- WINDSOCK_SMTP_URL and ${name} are both set. Remove one of them.`];
      expect(of({ [name]: path, WINDSOCK_SMTP_URL: secret })).toEqual(both);
      expect(of({ WINDSOCK_SMTP_URL: secret, [name]: path })).toEqual(both);
      expect(of({ WINDSOCK_PORT_FILE: path })[0]).toStartWith("- WINDSOCK_PORT_FILE is not a variable of Windsock.");
    });

    test("rejects a bad value by the name of its variable, without the value", async () => {
      const message = refusal({ WINDSOCK_SECRET_KEY_FILE: await fileWith("too short") });
      expect(message).toContain("- WINDSOCK_SECRET_KEY is shorter than 32 bytes");
      expect(message).not.toContain("too short");
    });
  });

  describe("with the databases on a libSQL server", () => {
    const secret = "a secret of these tests, which is long enough";
    const here = {
      WINDSOCK_STORE: "server",
      WINDSOCK_STORE_URL: "http://{namespace}.localhost:8080",
      WINDSOCK_STORE_ADMIN_URL: "http://127.0.0.1:8081",
      WINDSOCK_SECRET_KEY: secret,
    };
    const elsewhere = { ...here, WINDSOCK_STORE_URL: "https://windsock-{namespace}.db.example.com" };
    const tokenKey = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

    test("takes its addresses, and a key", () => {
      const store = { url: here.WINDSOCK_STORE_URL, adminUrl: here.WINDSOCK_STORE_ADMIN_URL, tokenKey: undefined };
      expect(loadConfig(here).store).toEqual(store);
      expect(loadConfig({ ...elsewhere, WINDSOCK_STORE_TOKEN_KEY: tokenKey }).store?.tokenKey).toBe(tokenKey);
    });

    test("needs its addresses and the installation's secret", () => {
      const message = refusal({ WINDSOCK_STORE: "server" });
      for (const name of ["WINDSOCK_STORE_URL", "WINDSOCK_STORE_ADMIN_URL", "WINDSOCK_SECRET_KEY"])
        expect(message).toContain(`- ${name} is missing, which WINDSOCK_STORE=server needs.`);
    });

    test("needs the key if it is on another machine", () => {
      expect(refusal(elsewhere)).toContain("- WINDSOCK_STORE_TOKEN_KEY is missing: the libSQL server is on another");
      const noKey = refusal({ ...here, WINDSOCK_STORE_TOKEN_KEY: "a secret word" });
      expect(noKey).toContain("- WINDSOCK_STORE_TOKEN_KEY is not an Ed25519 private key in PEM.");
      expect(noKey).not.toContain("a secret word");
    });

    test.each([
      ["http://db.localhost:8080", "has no {namespace} in the first part of its host"],
      ["http://db.{namespace}.example.com", "has no {namespace} in the first part of its host"],
      ["{namespace}", "is not an address"],
      ["file://{namespace}/", "is not an http or https address"],
    ])("rejects %s", (url, problem) => {
      expect(refusal({ ...here, WINDSOCK_STORE_URL: url })).toContain(`- WINDSOCK_STORE_URL ${problem}`);
    });

    test("warns of variables that have no effect", () => {
      expect(loadConfig({ WINDSOCK_STORE_URL: here.WINDSOCK_STORE_URL }).warnings).toEqual([
        "WINDSOCK_STORE_URL has no effect without WINDSOCK_STORE=server.",
      ]);
    });
  });

  test("reports all problems together", () => {
    const message = refusal({ WINDSOCK_PORT: "x", WINDSOCK_ENV: "x", WINDSOCK_PROT: "3000" });
    expect(message.split("\n")).toHaveLength(4);
  });

  test("rejects an unknown variable, with the most similar name", () => {
    expect(refusal({ WINDSOCK_PROT: "3000" })).toContain(
      "WINDSOCK_PROT is not a variable of Windsock. Did you mean WINDSOCK_PORT?",
    );
    expect(refusal({ WINDSOCK_COLOUR_OF_THE_SKY: "blue" })).not.toContain("Did you mean");
  });
});

test("variables has a description, the actual default and a valid example for each", () => {
  for (const { name, default: fallback, description, example } of variables) {
    expect(description).not.toBe("");
    if (fallback !== undefined) expect(loadConfig({ [name]: fallback })).toEqual(loadConfig({}));
    const publicUrl = { WINDSOCK_PUBLIC_URL: "https://ops.example.com" };
    const files = { WINDSOCK_TLS_CERT: "/chain.pem", WINDSOCK_TLS_KEY: "/key.pem" };
    const needed = name === "WINDSOCK_TLS" ? publicUrl : { ...publicUrl, ...files };
    expect(() => loadConfig({ ...needed, [name]: example })).not.toThrow();
  }
});
