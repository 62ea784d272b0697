/** A section that is changed where it stands. The focus goes into the form, and back to where it came from. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { Section } from "./section.tsx";

interface InPlaceProps {
  title: string;
  /** What the button says. */
  action: string;
  canEdit: boolean;
  form: (onEnd: () => void) => ComponentChildren;
  children: ComponentChildren;
}

export function InPlace({ title, action, canEdit, form, children }: InPlaceProps) {
  const isEditing = useSignal(false);
  const wasEditing = useRef(false);
  const section = useRef<HTMLDivElement>(null);
  // Before the next key arrives.
  useLayoutEffect(() => {
    const wanted = isEditing.value ? "input, select, textarea" : wasEditing.current && ".section-head button";
    if (wanted) section.current?.querySelector<HTMLElement>(wanted)?.focus();
    wasEditing.current = isEditing.value;
  }, [isEditing.value]);
  return (
    <div ref={section}>
      <Section
        title={title}
        actions={
          canEdit &&
          !isEditing.value && (
            <Button
              kind="plain"
              onClick={() => {
                isEditing.value = true;
              }}
            >
              {action}
              <span class="visually-hidden"> {title}</span>
            </Button>
          )
        }
      >
        {isEditing.value
          ? form(() => {
              isEditing.value = false;
            })
          : children}
      </Section>
    </div>
  );
}
