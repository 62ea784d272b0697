/** The pages of an area, one beside the other. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { place } from "../app/router.ts";

interface TabsProps {
  label: string;
  pages: readonly { path: string; label: string; isOpen?: boolean }[];
}

export function Tabs({ label, pages }: TabsProps) {
  const tabs = useRef<HTMLElement>(null);
  const { path: present } = place.value;
  // On a phone they are wider than the page: the present one is seen whole, and that there are others beside it.
  useLayoutEffect(() => {
    const { current: nav } = tabs;
    const tab = nav?.querySelector("[aria-current]")?.getBoundingClientRect();
    if (!nav || !tab) return;
    const { left, width } = nav.getBoundingClientRect();
    nav.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
  }, [present]);
  return (
    <nav class="tabs" aria-label={label} ref={tabs}>
      {pages
        .filter(({ isOpen = true }) => isOpen)
        .map(({ path, label: name }) => (
          <a key={path} href={path} aria-current={present === path ? "page" : undefined}>
            {name}
          </a>
        ))}
    </nav>
  );
}
