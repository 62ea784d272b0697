/** Variables of the shell that the service does not get: systemd starts it with those of its unit and its file only. */
import { parseEnv } from "node:util";
import { dataDirectory, environmentFile } from "./systemd-unit.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const isOurs = (name: string): boolean => name.startsWith("WINDSOCK_") || name.startsWith("OTEL_");

/**
 * Returns a line for each kind of them, by name: their values may be secrets.
 *
 * @param environment the content of the service's file of variables; undefined if this account can't read it
 */
export function strayVariables(shell: Variables, environment: string | undefined): string[] {
  const set = Object.entries(shell).filter(([name, value]) => isOurs(name) && value);
  if (set.length === 0) return [];
  if (environment === undefined)
    return [
      `This shell sets ${namesOf(set)}. The service has the variables in ${environmentFile} only, which this account can't read.`,
    ];
  const own: Variables = { WINDSOCK_DATA_DIR: dataDirectory, ...parseEnv(environment) };
  const missing = set.filter(([name]) => !own[name]);
  const other = set.filter(([name, value]) => own[name] && own[name] !== value);
  return [
    ...(missing.length > 0
      ? [`Not in ${environmentFile}, so the service runs without what this shell sets: ${namesOf(missing)}.`]
      : []),
    ...(other.length > 0 ? [`Set otherwise for the service than in this shell: ${namesOf(other)}.`] : []),
  ];
}

const namesOf = (set: readonly (readonly [string, unknown])[]): string => set.map(([name]) => name).join(", ");
