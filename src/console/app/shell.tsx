/** The frame around each screen: the menu at the side, on a phone at the bottom. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Brand } from "../ui/brand.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Empty, ProblemNotice, Skeleton } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { entrances } from "./entrances.ts";
import { inUtc } from "./format.ts";
import { text } from "./language.ts";
import { LoadingTrouble } from "./loading-trouble.tsx";
import { namePage } from "./name-page.ts";
import { Palette } from "./palette.tsx";
import { go, place } from "./router.ts";
import { areasInBar, home, openAreas, shown } from "./screens.ts";
import { isSuspended, me, organization } from "./session.ts";
import { moveInList, onKey, useShortcuts } from "./shortcuts.ts";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { Suspended } from "./suspended.tsx";

export function Shell() {
  const { app, areas: names } = text();
  const isAccountOpen = useSignal(false);
  const { path } = place.value;
  const isHome = path === "/" || path === "/app" || entrances.includes(path);
  useEffect(() => {
    if (isHome) go(home(), { replace: true });
  }, [isHome]);
  const isCurrent = (area: string) => path === area || path.startsWith(`${area}/`);
  const open = openAreas();
  const openAccount = () => {
    isAccountOpen.value = true;
  };
  const dialog = useSignal<"palette" | "shortcuts" | undefined>(undefined);
  const hasSchool = organization.value !== undefined && !isSuspended.value;
  const openPalette = () => {
    if (hasSchool) dialog.value = "palette";
  };
  const closeDialog = () => {
    dialog.value = undefined;
  };
  const { keys } = text();
  useShortcuts(
    [
      { key: "mod+k", label: keys.search, run: openPalette },
      { key: "/", label: keys.search, run: openPalette },
      { key: "j", label: keys.next, run: () => moveInList(1) },
      { key: "k", label: keys.previous, run: () => moveInList(-1) },
      {
        key: "u",
        label: keys.utc,
        run: () => {
          inUtc.value = !inUtc.value;
          toast(inUtc.value ? keys.nowUtc : keys.nowLocal);
        },
      },
      {
        key: "?",
        label: app.shortcuts,
        run: () => {
          dialog.value = "shortcuts";
        },
      },
    ],
    [keys, hasSchool],
  );
  useLayoutEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <a class="skip button primary" href="#content">
        {app.skip}
      </a>
      <div class="shell">
        <aside class="side">
          <Brand name={organization.value?.name ?? app.name} />
          {hasSchool && (
            <button type="button" class="button find" aria-keyshortcuts="Control+K" onClick={openPalette}>
              <Icon name="search" />
              <span>{app.search}</span>
              <kbd>Ctrl K</kbd>
            </button>
          )}
          <nav aria-label={app.navigation}>
            <ul>
              {open.map(({ name, icon, path: to }) => (
                <li key={name}>
                  <a href={to} aria-current={isCurrent(to) ? "page" : undefined}>
                    <Icon name={icon} />
                    {names[name]}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <Button kind="plain" icon="account" onClick={openAccount}>
            {me.value?.user.name ?? app.account}
          </Button>
        </aside>
        <main class="page" id="content">
          <div class="page-inner">
            <LoadingTrouble />
            {!isHome && <Screen />}
          </div>
        </main>
        <nav class="bottom" aria-label={app.navigation}>
          {hasSchool && (
            <button type="button" onClick={openPalette}>
              <Icon name="search" size={20} />
              {app.search}
            </button>
          )}
          {areasInBar().map(({ name, icon, path: to }) => (
            <a key={name} href={to} aria-current={isCurrent(to) ? "page" : undefined}>
              <Icon name={icon} size={20} />
              {names[name]}
            </a>
          ))}
          <button type="button" onClick={openAccount}>
            <Icon name="more" size={20} />
            {app.more}
          </button>
        </nav>
      </div>
      {dialog.value === "palette" && <Palette onClose={closeDialog} />}
      {dialog.value === "shortcuts" && <ShortcutsDialog onClose={closeDialog} />}
      {isAccountOpen.value && (
        <AccountDialog
          onClose={() => {
            isAccountOpen.value = false;
          }}
        />
      )}
    </>
  );
}

/** The screen of the address. After a change the focus is at its heading, for keyboards and screen readers. */
function Screen() {
  const { errors, actions } = text();
  const current = shown.value;
  const opened = current.kind === "open" ? current.address : undefined;
  const first = useRef(true);
  useEffect(() => {
    if (opened === undefined) return;
    const stop = namePage(!first.current);
    first.current = false;
    return stop;
  }, [opened]);
  if (current.kind === "loading") return <Skeleton lines={6} />;
  if (current.kind === "suspended") return <Suspended />;
  if (current.kind === "failed")
    return (
      <>
        <h1 class="visually-hidden">{errors.title}</h1>
        <ProblemNotice error={current.error} retry={() => location.reload()} />
      </>
    );
  if (current.kind === "missing")
    return (
      <Empty
        title={errors.notFoundTitle}
        action={
          <a class="button" href="/app">
            {actions.back}
          </a>
        }
      >
        {errors.notFound}
      </Empty>
    );
  const { component: Content, address, parameters } = current;
  return <Content key={address} {...parameters} />;
}
