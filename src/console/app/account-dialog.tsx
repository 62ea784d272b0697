/** The account, the school, language and appearance. On a phone it is also the rest of the menu. */

import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { language, languageNames, languages, speak, text } from "./language.ts";
import { go } from "./router.ts";
import { openAreas } from "./screens.ts";
import { chooseOrganization, me, organization, signOut } from "./session.ts";
import { applyTheme, theme, themes } from "./theme.ts";

export function AccountDialog({ onClose }: { onClose: () => void }) {
  const { app, areas: names } = text();
  const account = me.value;
  if (!account) return null;
  const { organizations, user } = account;
  return (
    <Dialog title={user.name} onClose={onClose}>
      <p class="quiet">{user.email}</p>
      <nav class="menu" aria-label={app.more}>
        {openAreas().map(({ name, icon, path }) => (
          <a key={name} href={path} onClick={onClose}>
            <Icon name={icon} />
            {names[name]}
          </a>
        ))}
      </nav>
      {organizations.length > 1 && (
        <Choice
          label={app.organization}
          value={organization.value?.id ?? ""}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            chooseOrganization(id);
            go("/app");
            onClose();
          }}
        />
      )}
      <Choice
        label={app.language}
        value={language.value}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChange={speak}
      />
      <Choice
        label={app.theme}
        value={theme.value}
        options={themes.map((value) => ({ value, label: app.themes[value] }))}
        onChange={applyTheme}
      />
      <div class="form-actions">
        <a class="button" href="/app/account" onClick={onClose}>
          {text().account.title}
        </a>
        <Button onClick={signOut}>{app.signOut}</Button>
        <a class="button plain" href="/docs">
          {app.reference}
        </a>
      </div>
    </Dialog>
  );
}
