import { z } from "zod";
import type { DemoSchool } from "./demo-school.ts";

const NewKey = z.object({ data: z.object({ token: z.string() }) });

const read = ["flights", "pilots", "fleet", "maintenance", "compliance", "training", "signoffs", "planning", "events"];

/** Creates the API key of an integrator. @returns its token */
export async function createKey({ api, org, owner }: DemoSchool): Promise<string> {
  const key = { name: "Demo", scopes: [...read.map((what) => `public.${what}:read`), "events:replay"] };
  return (await api.post(`${org}/integrations/api-keys`, NewKey, key, owner)).data.token;
}
