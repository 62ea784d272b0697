/** The pages of an area, one beside the other. */
import { place } from "../app/router.ts";

interface TabsProps {
  label: string;
  pages: readonly { path: string; label: string; isOpen?: boolean }[];
}

export const Tabs = ({ label, pages }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {pages
      .filter(({ isOpen = true }) => isOpen)
      .map(({ path, label: name }) => (
        <a key={path} href={path} aria-current={place.value.path === path ? "page" : undefined}>
          {name}
        </a>
      ))}
  </nav>
);
