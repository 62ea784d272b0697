import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  children: ComponentChildren;
  kind?: "primary" | "danger" | "plain";
  icon?: IconName;
  /** Only the icon is seen; the children name the button. */
  iconOnly?: boolean;
  type?: "button" | "submit";
  /** What the button says while it works. */
  busyText?: string;
  isBusy?: boolean;
  /** Keys that do the same, as ARIA writes them. */
  shortcut?: string;
  /** While a promise that it returns is pending, the button is busy and further clicks do nothing. */
  onClick?: () => unknown;
  autoFocus?: boolean;
  pressed?: boolean;
}

export function Button({ children, kind, icon, iconOnly, type = "button", onClick, busyText, ...props }: ButtonProps) {
  const [isWorking, setWorking] = useState(false);
  const isBusy = isWorking || props.isBusy === true;
  const click = async () => {
    const result = onClick?.();
    if (!(result instanceof Promise)) return;
    setWorking(true);
    await result.finally(() => setWorking(false));
  };
  const label = isBusy && busyText !== undefined ? busyText : children;
  return (
    <button
      type={type}
      class={["button", kind, iconOnly && "icon"].filter(Boolean).join(" ")}
      // Not `disabled`, which would take the focus away.
      aria-disabled={isBusy || undefined}
      aria-keyshortcuts={props.shortcut}
      aria-pressed={props.pressed}
      // biome-ignore lint/a11y/noAutofocus: the first control of a dialog
      autoFocus={props.autoFocus}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else void click();
      }}
    >
      {icon && <Icon name={icon} />}
      {iconOnly ? <span class="visually-hidden">{label}</span> : label}
    </button>
  );
}
