/** A text in which no registration is broken at its hyphen. */
import type { ComponentChildren } from "preact";

const registration = /\b([A-Z0-9]{1,2}-[A-Z0-9]{2,5})\b/;

export const unbroken = (text: string): ComponentChildren =>
  text.split(registration).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      <span key={n} class="unbroken">
        {part}
      </span>
    ),
  );
