/** The settings of the libSQL server from the variables, and what they can't be together. */
import { z } from "zod";
import { isOnThisMachine, namespaceMark, type StoreSettings, tokenKeyOf } from "./store-settings.ts";

interface Variables {
  WINDSOCK_STORE: "file" | "server";
  WINDSOCK_STORE_URL?: string | undefined;
  WINDSOCK_STORE_ADMIN_URL?: string | undefined;
  WINDSOCK_STORE_TOKEN_KEY?: string | undefined;
  WINDSOCK_SECRET_KEY?: unknown;
}

const marked = /^[a-z]+:\/\/[a-z0-9-]*\{namespace\}[a-z0-9-]*[.:/]/;

/** An address of the server. @param hasNamespace whether it is that of a namespace */
export const storeUrl = ({ hasNamespace = false } = {}) =>
  z
    .string()
    .refine((text) => URL.canParse(text.replace(namespaceMark, "x")), { error: "is not an address", abort: true })
    .refine((text) => /^(https?|wss?|libsql):\/\//.test(text), {
      error: "is not an http or https address",
      abort: true,
    })
    .refine((text) => !hasNamespace || marked.test(`${text}/`), "has no {namespace} in the first part of its host");

const isTokenKey = (pem: string): boolean => {
  try {
    tokenKeyOf(pem);
    return true;
  } catch {
    return false;
  }
};

export function storeProblems(variables: Variables): string[] {
  if (variables.WINDSOCK_STORE === "file") return [];
  const { WINDSOCK_STORE_URL, WINDSOCK_STORE_ADMIN_URL, WINDSOCK_STORE_TOKEN_KEY: tokenKey } = variables;
  const { WINDSOCK_SECRET_KEY } = variables;
  const needed = { WINDSOCK_STORE_URL, WINDSOCK_STORE_ADMIN_URL, WINDSOCK_SECRET_KEY };
  const missing = Object.entries(needed).flatMap(([name, value]) =>
    value === undefined ? [`${name} is missing, which WINDSOCK_STORE=server needs.`] : [],
  );
  if (tokenKey !== undefined)
    return isTokenKey(tokenKey)
      ? missing
      : [
          ...missing,
          "WINDSOCK_STORE_TOKEN_KEY is not an Ed25519 private key in PEM. Make one: openssl genpkey -algorithm ed25519",
        ];
  const addresses = [WINDSOCK_STORE_URL, WINDSOCK_STORE_ADMIN_URL];
  if (addresses.every((address) => address === undefined || isOnThisMachine(address))) return missing;
  return [
    ...missing,
    "WINDSOCK_STORE_TOKEN_KEY is missing: the libSQL server is on another machine, where whoever reaches it could read and write everything.",
  ];
}

export function storeWarnings(variables: Variables): string[] {
  if (variables.WINDSOCK_STORE === "server") return [];
  const { WINDSOCK_STORE_URL, WINDSOCK_STORE_ADMIN_URL, WINDSOCK_STORE_TOKEN_KEY } = variables;
  return Object.entries({ WINDSOCK_STORE_URL, WINDSOCK_STORE_ADMIN_URL, WINDSOCK_STORE_TOKEN_KEY }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name} has no effect without WINDSOCK_STORE=server.`]),
  );
}

/** @param variables without problems. @returns undefined: the databases are files */
export function storeSettings(variables: Variables): StoreSettings | undefined {
  const { WINDSOCK_STORE_URL: url, WINDSOCK_STORE_ADMIN_URL: adminUrl, WINDSOCK_STORE_TOKEN_KEY: tokenKey } = variables;
  if (variables.WINDSOCK_STORE === "file" || url === undefined || adminUrl === undefined) return undefined;
  return { url, adminUrl, tokenKey };
}
