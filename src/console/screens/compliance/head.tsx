/** The heading of the area, and its pages beside each other. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { place } from "../../app/router.ts";
import { complianceText } from "./words.ts";

export function Head({ children, hint }: { children?: ComponentChildren; hint?: string }) {
  const words = complianceText();
  const tabs = useRef<HTMLElement>(null);
  // On a phone the last of them are out of sight.
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (tabs.current && current) tabs.current.scrollLeft = current.offsetLeft - 40;
  }, []);
  const pages = [
    { path: "/app/compliance", label: words.pages.fly },
    { path: "/app/compliance/expiries", label: words.pages.expiries },
    { path: "/app/compliance/records", label: words.pages.records },
    { path: "/app/compliance/revalidations", label: words.pages.revalidations },
    { path: "/app/compliance/rules", label: words.pages.rules },
  ];
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          {hint !== undefined && <p class="quiet">{hint}</p>}
        </div>
        {children && <div class="actions">{children}</div>}
      </div>
      <nav class="tabs" ref={tabs} aria-label={words.title}>
        {pages.map(({ path, label }) => (
          <a key={path} href={path} aria-current={place.value.path === path ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
