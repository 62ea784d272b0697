/**
 * `WINDSOCK_OIDC_<NAME>_ISSUER`, `…_CLIENT_ID` and `…_CLIENT_SECRET`: three variables for each OpenID provider. The operator
 * chooses the name, so the table of variables cannot list them.
 */

/** An OpenID provider, and the client that Windsock is registered as. */
export interface OidcProvider {
  /** The issuer identifier, whose metadata are at a path below it (OpenID Connect Discovery 1.0). */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const parts = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"] as const;
const VARIABLE = /^WINDSOCK_OIDC_([A-Z][A-Z0-9]*)_(ISSUER|CLIENT_ID|CLIENT_SECRET)$/;

export const isOidcVariable = (name: string): boolean => VARIABLE.test(name);

export const isOidcSecret = (name: string): boolean => VARIABLE.exec(name)?.[2] === "CLIENT_SECRET";

/** @returns the providers by their names in lower case, and the problems, which never contain a value */
export function readOidcProviders(set: Readonly<Record<string, string | undefined>>): {
  providers: ReadonlyMap<string, OidcProvider>;
  problems: string[];
} {
  const names = new Set(Object.keys(set).flatMap((variable) => VARIABLE.exec(variable)?.[1] ?? []));
  const providers = new Map<string, OidcProvider>();
  const problems: string[] = [];
  for (const name of names) {
    const [issuer, clientId, clientSecret] = parts.map((part) => set[`WINDSOCK_OIDC_${name}_${part}`]);
    const missing = parts.filter((part) => set[`WINDSOCK_OIDC_${name}_${part}`] === undefined);
    for (const part of missing)
      problems.push(`WINDSOCK_OIDC_${name}_${part} is missing: a provider needs ${parts.join(", ")}.`);
    const wrong = issuer === undefined ? undefined : wrongIssuer(issuer);
    if (wrong !== undefined)
      problems.push(
        `WINDSOCK_OIDC_${name}_ISSUER ${wrong}. Example: WINDSOCK_OIDC_${name}_ISSUER=https://accounts.example.com`,
      );
    if (issuer === undefined || clientId === undefined || clientSecret === undefined) continue;
    providers.set(name.toLowerCase(), { issuer, clientId, clientSecret });
  }
  return { providers, problems };
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns the problem of an issuer as the rest of a sentence. Plain http would let an attacker on the network sign in as anyone. */
function wrongIssuer(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return "is not an https address";
  if (url.protocol === "http:" && !loopback.has(url.hostname)) return "is http, which is allowed for this machine only";
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text))
    return "has more than scheme, host, port and path";
  return undefined;
}
