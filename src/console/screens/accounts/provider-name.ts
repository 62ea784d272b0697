/** Providers as they write themselves. Others are called as the operator named them. */
const names: Partial<Record<string, string>> = {
  apple: "Apple",
  github: "GitHub",
  gitlab: "GitLab",
  google: "Google",
  keycloak: "Keycloak",
  microsoft: "Microsoft",
};

export const providerName = (name: string): string => names[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
