/** The pages of the settings, one beside the other. */
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { place } from "../../app/router.ts";

export function Tabs() {
  const { settings: words } = text();
  const pages = [
    { path: "/app/settings", label: words.school, isOpen: may("organization:read") },
    { path: "/app/settings/members", label: words.members, isOpen: may("members:read") },
    { path: "/app/settings/invites", label: words.invites, isOpen: may("members:manage") },
  ];
  return (
    <nav class="tabs" aria-label={words.title}>
      {pages
        .filter(({ isOpen }) => isOpen)
        .map(({ path, label }) => (
          <a key={path} href={path} aria-current={place.value.path === path ? "page" : undefined}>
            {label}
          </a>
        ))}
    </nav>
  );
}
