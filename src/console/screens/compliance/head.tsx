/** The heading of the area, and its pages beside each other. */
import type { ComponentChildren } from "preact";
import { place } from "../../app/router.ts";
import { complianceText } from "./words.ts";

export function Head({ children, hint }: { children?: ComponentChildren; hint?: string }) {
  const words = complianceText();
  const pages = [{ path: "/app/compliance", label: words.pages.fly }];
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          {hint !== undefined && <p class="quiet">{hint}</p>}
        </div>
        {children && <div class="actions">{children}</div>}
      </div>
      <nav class="tabs" aria-label={words.title}>
        {pages.map(({ path, label }) => (
          <a key={path} href={path} aria-current={place.value.path === path ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
