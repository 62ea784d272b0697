import { useEffect, useRef } from "preact/hooks";
import { text } from "../../app/language.ts";

/** The heading of a page of the entrance. It has the focus unless a field has it, so that a screen reader says which page it is. */
export function Heading({ children: title }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, text().app.name].join(" · ");
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}
