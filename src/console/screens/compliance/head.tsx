/** The heading of the area, and its pages beside each other. */
import type { ComponentChildren } from "preact";
import { Tabs } from "../../ui/tabs.tsx";
import { complianceText } from "./words.ts";

export function Head({ children, hint }: { children?: ComponentChildren; hint?: string }) {
  const words = complianceText();
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
      <Tabs label={words.title} pages={pages} />
    </>
  );
}
