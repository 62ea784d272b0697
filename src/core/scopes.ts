/** The scopes of API keys: a read scope for each group of routes, and actions. A new one is a line here. */
const catalog = {
  "public.pilots:read": "Read pilots, students and instructors.",
  "public.flights:read": "Read flights.",
  "public.fleet:read": "Read aircraft with their maintenance counts.",
  "public.compliance:read": "Read counts of compliance records.",
  "public.training:read": "Read training progress.",
  "public.signoffs:read": "Read training signoffs.",
  "public.finance:read": "Read monthly financial summaries.",
  "public.invoices:read": "Read invoices.",
  "public.maintenance:read": "Read due maintenance and work orders.",
  "public.vtr:read": "Read the metadata of evidence packs.",
  "public.planning:read": "Read planning sessions.",
  "public.events:read": "Read events.",
  "public.directory:read": "Read directory listings. No route requires it yet.",
  "events:replay": "Deliver an event again.",
} as const;

export type Scope = keyof typeof catalog;

/** All scopes with their descriptions, in the order of the catalog. */
export const scopeCatalog: readonly { name: Scope; kind: "read" | "action"; description: string }[] = scopeNames().map(
  (name) => ({ name, kind: name.endsWith(":read") ? "read" : "action", description: catalog[name] }),
);

function scopeNames(): Scope[] {
  return Object.keys(catalog).filter((name): name is Scope => name in catalog);
}
