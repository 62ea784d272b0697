/** The pages of the area, one beside the other. */
import { place } from "../../app/router.ts";
import { trainingText } from "./words.ts";

export function Tabs() {
  const words = trainingText();
  const pages = [
    { path: "/app/training", label: words.students },
    { path: "/app/training/programs", label: words.programs },
  ];
  return (
    <nav class="tabs" aria-label={words.title}>
      {pages.map(({ path, label }) => (
        <a key={path} href={path} aria-current={place.value.path === path ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
