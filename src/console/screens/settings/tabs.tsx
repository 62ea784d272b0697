/** The pages of the settings. */
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { Tabs as Pages } from "../../ui/tabs.tsx";

export function Tabs() {
  const { settings: words } = text();
  return (
    <Pages
      label={words.title}
      pages={[
        { path: "/app/settings", label: words.school, isOpen: may("organization:read") },
        { path: "/app/settings/members", label: words.members, isOpen: may("members:read") },
        { path: "/app/settings/invites", label: words.invites, isOpen: may("members:manage") },
      ]}
    />
  );
}
